"""A model file, found inside a folder, checked against its manifest, read by the loader of its format."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from decisionflow.errors import ModelError, UntrustedModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact, read_artefact
from decisionflow.models.loaders import LOADERS, Loader
from decisionflow.models.manifest import (
    check_golden_rows,
    check_hash,
    find_manifest,
    version_differences,
    with_manifest,
)
from decisionflow.models.model import Model


def load_model(
    name: str,
    uri: str,
    folder: Path,
    allowed: Sequence[Path] = (),
    *,
    trusted: Sequence[str] = (),
    accept_other_versions: bool = False,
) -> Model:
    """The model of a file, by the format that the URI's scheme or ending names.

    The path is taken relative to `folder` and must stay inside it or inside one of `allowed`, links followed. A
    manifest beside the file is obeyed before the file is opened: its sha256, its library versions
    (`accept_other_versions` turns that refusal into notes of the model); then its golden rows. `trusted` allows further
    types in a `.skops` file. Raises ModelError, and UntrustedModelError for a file that would run code or holds types
    that are not allowed.
    """
    loader, location = _loader(name, uri)
    path = _inside(name, location, folder, allowed)
    if not (path.is_file() or (path.is_dir() and loader.reads_folders)):
        raise ModelError(messages.not_a_file(name, path))
    found = find_manifest(name, path)
    if found is None and loader.by_name_only:
        raise UntrustedModelError(messages.no_manifest(name, path))
    artefact = read_artefact(name, path, tuple(trusted))
    if found is None:
        return _read(loader, artefact)
    place, manifest = found
    check_hash(artefact, manifest)
    differences = version_differences(manifest)
    if differences and not accept_other_versions:
        raise ModelError(messages.refused_versions(name, differences))
    completed = replace(artefact, classes=manifest.classes, categories=manifest.categories)
    model = with_manifest(_read(loader, completed), place, manifest)
    check_golden_rows(model, place, manifest)
    return replace(model, notes=model.notes + differences)


def _read(loader: Loader, artefact: Artefact) -> Model:
    model: Model = getattr(importlib.import_module(loader.module), loader.function)(artefact)
    return model


def _loader(name: str, uri: str) -> tuple[Loader, str]:
    scheme, colon, rest = uri.partition(":")
    for loader in LOADERS:
        if colon and scheme == loader.scheme:
            return loader, rest
    for loader in LOADERS:
        if loader.suffixes and uri.lower().endswith(loader.suffixes):
            if loader.by_name_only:
                raise UntrustedModelError(messages.by_name_only(name, uri, loader.scheme))
            return loader, uri
    known = [suffix for loader in LOADERS for suffix in loader.suffixes]
    raise ModelError(messages.no_loader(name, uri, known))


def _inside(name: str, location: str, folder: Path, allowed: Sequence[Path]) -> Path:
    """The real path; what lies outside the folders is refused before anything is said about what is there."""
    try:
        path = (folder / location).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(messages.outside(name, location, folder)) from error
    if not any(path.is_relative_to(each.resolve()) for each in (folder, *allowed)):
        raise ModelError(messages.outside(name, location, folder))
    if not path.exists():
        raise ModelError(messages.no_file(name, path))
    return path
