"""The manifest beside a model file: which bytes, which library versions, which rows must score what."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact, digest
from decisionflow.models.model import Label, Model, same_label
from decisionflow.types import ModelOutput

GOLDEN_TOLERANCE = 1e-9
EXPECTED = ("expected_score", "expected")


class Manifest(BaseModel):
    """What a manifest says about one model file; further keys are ignored.

    `libraries` maps distributions to versions, compared part by part as far as they are given. `features`, `classes`
    and `categories` (column to training vocabulary) stand in for what the file itself does not hold. `golden` is a CSV
    of inputs and `expected_score`, in the manifest's folder, scored as `output` of `class` at every load.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True)

    model: str | None = None
    file: str
    sha256: str
    python: str | None = None
    libraries: dict[str, str] = {}
    features: tuple[str, ...] | None = None
    output: Literal["probability", "score", "label", "number"] | None = None
    label: Label | None = Field(default=None, alias="class")
    classes: tuple[Label, ...] | None = None
    categories: dict[str, tuple[Label, ...]] = {}
    golden: str | None = None


def find_manifest(name: str, path: Path) -> tuple[Path, Manifest] | None:
    """`FILE.manifest.json`, else a `manifest.json` in the same folder that is about this file."""
    own, shared = path.with_name(path.name + ".manifest.json"), path.with_name("manifest.json")
    for place in (own, shared):
        if place.is_file():
            manifest = _parsed(name, place)
            if manifest.file == path.name:
                return place, manifest
            if place == own:
                raise ModelError(messages.bad_manifest(name, place, f"it describes {manifest.file}"))
    return None


def check_hash(artefact: Artefact, manifest: Manifest) -> None:
    """Raise ModelError, with both hashes, when the bytes are not those that the manifest describes."""
    found = digest(artefact)
    if found != manifest.sha256.lower():
        raise ModelError(messages.other_hash(artefact.name, artefact.path, manifest.sha256, found))


def version_differences(manifest: Manifest) -> tuple[str, ...]:
    """One sentence for each library, Python among them, whose version is not the manifest's."""
    asked = {**({"Python": manifest.python} if manifest.python else {}), **manifest.libraries}
    found = {library: _installed(library) for library in asked}
    return tuple(
        messages.other_version(library, expected, found[library])
        for library, expected in asked.items()
        if not _agrees(expected, found[library])
    )


def with_manifest(model: Model, place: Path, manifest: Manifest) -> Model:
    """The model completed by its manifest; raises ModelError where the two contradict each other."""
    if manifest.features is not None and model.inputs not in (None, manifest.features):
        raise ModelError(messages.other_features(model.name, model.inputs or (), manifest.features))
    if manifest.classes is not None and model.classes is not None and not _same(manifest.classes, model.classes):
        raise ModelError(messages.bad_manifest(model.name, place, "its classes are not the model's"))
    return replace(
        model,
        inputs=model.inputs if model.inputs is not None else manifest.features,
        classes=model.classes if model.classes is not None else manifest.classes,
        categories={**manifest.categories, **model.categories},
    )


def check_golden_rows(model: Model, place: Path, manifest: Manifest) -> None:
    """Score the golden rows; raises ModelError when one fails or differs by more than 1e-9."""
    path = place.with_name(manifest.golden or "golden.csv")
    if manifest.golden is None and not path.is_file():
        return
    frame, expected = _golden(model.name, path)
    output = ModelOutput(manifest.output or "number", manifest.label)
    try:
        found = model.column(frame, output)
    except ModelError as error:
        raise ModelError(messages.golden_failed(model.name, path, error)) from error
    for row, (right, given) in enumerate(zip(expected, found, strict=True)):
        agrees = str(right) == given if output.kind == "label" else abs(float(right) - given) <= GOLDEN_TOLERANCE
        if not agrees:
            raise ModelError(messages.golden_differs(model.name, path, row, right, given))


def _golden(name: str, path: Path) -> tuple[pd.DataFrame, list[Any]]:
    try:
        frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as error:
        raise ModelError(messages.golden_failed(name, path, error)) from error
    for column in EXPECTED:
        if column in frame.columns:
            return frame.drop(columns=column), frame[column].tolist()
    raise ModelError(messages.golden_failed(name, path, ValueError(f"there is no column {EXPECTED[0]}")))


def _parsed(name: str, place: Path) -> Manifest:
    try:
        return Manifest.model_validate_json(place.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(each) for each in first["loc"])
        raise ModelError(messages.bad_manifest(name, place, f"{where}: {first['msg']}".lstrip(": "))) from error


def _installed(library: str) -> str:
    if library == "Python":
        return platform.python_version()
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _agrees(expected: str, found: str) -> bool:
    parts = expected.split(".")
    return found.split(".")[: len(parts)] == parts


def _same(listed: tuple[Label, ...], known: tuple[Label, ...]) -> bool:
    return len(listed) == len(known) and all(same_label(*pair) for pair in zip(known, listed, strict=True))
