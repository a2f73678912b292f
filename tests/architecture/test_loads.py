"""What is loaded by importing the package and by checking a policy: names of packages, not times."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

POLICIES = Path(__file__).parents[2] / "policies"
SHIPPED = sorted(path for folder in POLICIES.iterdir() for path in folder.glob("*.dflow"))
LOADED = """
import sys
before = set(sys.modules)
{statement}
new = {{name.partition(".")[0] for name in set(sys.modules) - before}} - sys.stdlib_module_names
print("loaded:", *sorted(name for name in set(sys.modules) - before if name.partition(".")[0] in new), file=sys.stderr)
"""
COMMAND = "from decisionflow.cli import main; "


def loaded(statement: str) -> list[str]:
    """Names of the modules that a statement loads into a fresh interpreter, the standard library's left out."""
    found = subprocess.run(
        [sys.executable, "-c", LOADED.format(statement=statement)], capture_output=True, text=True, check=True
    )
    return found.stderr.rpartition("loaded:")[2].split()


def packages(statement: str) -> set[str]:
    return {name.partition(".")[0] for name in loaded(statement)} - {"decisionflow"}


def test_importing_the_package_loads_its_version_and_nothing_else() -> None:
    assert loaded("import decisionflow") == ["decisionflow", "decisionflow.version"]


@pytest.mark.parametrize("policy", SHIPPED, ids=lambda path: path.stem)
def test_a_check_loads_the_standard_library_only(policy: Path) -> None:
    assert packages(f"{COMMAND}assert main(['check', {str(policy)!r}]) == 0") == set()


@pytest.mark.parametrize("format_name", ["json", "sarif"])
def test_so_does_a_check_for_editors(format_name: str) -> None:
    arguments = ["check", str(SHIPPED[0]), "--format", format_name]
    assert packages(f"{COMMAND}assert main({arguments!r}) == 0") == set()


def test_so_does_a_policy_with_mistakes(tmp_path: Path) -> None:
    faulty = tmp_path / "faulty.dflow"
    faulty.write_text("policy p\nfeature x : number\ndecision d : { a }\n  rule r: if y > 1 then a\n  otherwize a\n")
    assert packages(f"{COMMAND}assert main(['check', {str(faulty)!r}]) == 3") == set()


def test_so_does_formatting() -> None:
    assert packages(f"{COMMAND}main(['format', '--check', {str(SHIPPED[0])!r}])") == set()


def test_so_does_a_drawn_graph() -> None:
    assert packages(f"{COMMAND}assert main(['graph', {str(SHIPPED[0])!r}, '--format', 'svg']) == 0") == set()


def test_a_graph_to_compute_with_loads_networkx() -> None:
    text = "policy p feature x : number decision d : { a, b } rule r: if x > 1 then a otherwise b"
    assert packages(f"import decisionflow; decisionflow.parse_policy({text!r}).check()") == set()
    assert packages(f"import decisionflow; decisionflow.parse_policy({text!r}).graph") == {"networkx"}
