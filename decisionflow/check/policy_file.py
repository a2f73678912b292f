"""A policy from its file or text: read, parsed and checked, with nothing loaded that a check does not need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from decisionflow.check.checker import Checked, check_files
from decisionflow.check.files import read_tree
from decisionflow.check.messages import files as messages
from decisionflow.diagnostics import Diagnostic
from decisionflow.errors import PolicyError
from decisionflow.frozen import frozen
from decisionflow.program.program import Program
from decisionflow.source import Source
from decisionflow.syntax.limits import LIMITS, Limits
from decisionflow.syntax.parse import parse
from decisionflow.syntax.tree import File


@frozen
class PolicySource:
    """The root file's tree and what checking found, no tree where it cannot be parsed; `files` are all that it uses."""

    tree: File | None
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    files: tuple[File, ...] = ()

    def fingerprint(self) -> str:
        """SHA-256 of the canonical texts, so that neither layout nor line ends change it."""
        import hashlib

        from decisionflow.syntax.format import format_text

        digest = hashlib.sha256()
        for file in self.files:
            digest.update(format_text(file).encode("utf-8"))
        return digest.hexdigest()


def check_policy_file(
    path: Path,
    allowed: Sequence[Path] = (),
    parameters: Mapping[str, Any] | None = None,
    limits: Limits = LIMITS,
) -> PolicySource:
    """Read, parse and check a policy file with all that it uses; mistakes are values, not exceptions."""
    try:
        root = read_tree(path, str(path), limits)
    except PolicyError as error:
        return PolicySource(None, None, error.diagnostics)
    except OSError as error:
        return PolicySource(None, None, (messages.unreadable_file(str(path), error),))
    return _checked(root, path, allowed, parameters, limits)


def check_policy_text(
    text: str,
    name: str = "policy",
    folder: Path | None = None,
    allowed: Sequence[Path] = (),
    parameters: Mapping[str, Any] | None = None,
    limits: Limits = LIMITS,
) -> PolicySource:
    """Parse and check a policy's text; files that it names are looked for in `folder`, in none where that is None."""
    found = parse(Source(name, text), limits)
    if not isinstance(found, File):
        return PolicySource(None, None, tuple(found))
    return _checked(found, None if folder is None else folder / name, allowed, parameters, limits)


def _checked(
    root: File,
    path: Path | None,
    allowed: Sequence[Path],
    parameters: Mapping[str, Any] | None,
    limits: Limits,
) -> PolicySource:
    used: list[File] = [root]

    def load(place: Path, name: str) -> File:
        used.append(read_tree(place, name, limits))
        return used[-1]

    found: Checked = check_files(root, path, load, allowed, parameters, limits)
    return PolicySource(root, found.program, found.diagnostics, tuple(used))
