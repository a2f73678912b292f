"""A model file as it lies there, before anybody makes a model of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from decisionflow.errors import ModelError
from decisionflow.models import messages


@dataclass(frozen=True, slots=True)
class Artefact:
    """A model file read once: what is hashed is what is opened. A folder (MLflow) has no data of its own.

    `trusted` are the types that the user allows, `classes` and `categories` (column to training vocabulary) what a
    manifest adds to a file that does not hold them.
    """

    name: str
    path: Path
    data: bytes = field(repr=False)
    trusted: tuple[str, ...] = ()
    classes: tuple[str | int | float | bool, ...] | None = None
    categories: Mapping[str, tuple[str | int | float | bool, ...]] = field(default_factory=dict)


def read_artefact(name: str, path: Path, trusted: tuple[str, ...] = ()) -> Artefact:
    """The file's bytes, not yet looked into; raises ModelError when they cannot be had."""
    try:
        return Artefact(name, path, b"" if path.is_dir() else path.read_bytes(), trusted)
    except OSError as error:
        raise ModelError(messages.no_bytes(name, path, error)) from error


def digest(artefact: Artefact) -> str:
    """SHA-256 of the file; of a folder: of the sorted lines `SHA-256  path` of all files in it, as sha256sum writes."""
    if not artefact.path.is_dir():
        return hashlib.sha256(artefact.data).hexdigest()
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(artefact.path).as_posix()}\n"
        for path in sorted(artefact.path.rglob("*"))
        if path.is_file()
    ]
    return hashlib.sha256("".join(lines).encode()).hexdigest()
