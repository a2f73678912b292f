"""Files of tests beside a policy: in its folder, bringing it in with `use`, and declaring nothing but tests."""

from __future__ import annotations

from pathlib import Path

from decisionflow.check.files import read_tree
from decisionflow.errors import PolicyError
from decisionflow.syntax import tree
from decisionflow.syntax.limits import LIMITS

_OF_A_TEST_FILE = (tree.Policy, tree.Use, tree.Example)


def tests_beside(policy: Path) -> list[Path]:
    """The files of tests beside a policy, in the order of their names.

    A file that names the policy and cannot be parsed counts as one: its reader wants to be told of it.
    """
    # Names that begin with a point are what editors leave, dangling links among them.
    files = sorted(file for file in policy.parent.glob("[!.]*.dflow") if file.is_file())
    others = (file for file in files if not file.samefile(policy))
    return [file for file in others if _names(file, policy) and _tests(file, policy)]


def _names(file: Path, policy: Path) -> bool:
    with file.open("rb") as stream:
        return policy.name.encode() in stream.read(LIMITS.file_bytes)


def _tests(file: Path, policy: Path) -> bool:
    try:
        declarations = read_tree(file, str(file)).declarations
    except PolicyError:
        return True
    used = [each.path.value for each in declarations if isinstance(each, tree.Use)]
    return all(isinstance(each, _OF_A_TEST_FILE) for each in declarations) and any(
        (file.parent / path).resolve() == policy.resolve() for path in used
    )
