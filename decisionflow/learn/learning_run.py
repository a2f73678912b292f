"""One whole run: a data file and a black box in, a policy with its model and its measures out."""

from __future__ import annotations

import datetime
import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.diagnostics import nearest
from decisionflow.errors import UnknownNameError
from decisionflow.learn.classifier import HybridClassifier
from decisionflow.learn.feature_table import describe_features
from decisionflow.learn.file_frame import file_frame
from decisionflow.learn.given_black_box import ModelBlackBox, RecordedAnswers, portable_forest
from decisionflow.learn.learning_errors import LearningDataError, SettingError
from decisionflow.learn.report import LearningReport, report
from decisionflow.learn.search_progress import ProgressListener
from decisionflow.learn.sweep import SweepPoint, sweep
from decisionflow.learn.training_rows import two_classes
from decisionflow.models.loading import load_model
from decisionflow.tables.files.open_data import DataFile, every_row


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """What to learn from which file, and where the policy is to lie.

    `black_box` is a model's URI, `answers` the column that holds a black box's answers; neither: a random forest is
    fitted. `held_out` is the share of rows to measure on, `shares` are further minimum transparencies to learn for.
    """

    learner: HybridClassifier
    file: DataFile
    target: str
    output: Path
    date: datetime.date
    black_box: str | None = None
    answers: str | None = None
    excluded: tuple[str, ...] = ()
    held_out: float = 0.25
    seed: int = 0
    shares: tuple[float, ...] = ()
    title: str | None = None
    decision: str | None = None


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A fitted model as a file: its place relative to the policy, and its bytes."""

    uri: str
    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """The fitted learner, its policy text, its report on held-out rows, and the lists of a sweep.

    `forest` is the model that was fitted where none was given; `notes` is what a reader has to know besides.
    """

    learner: HybridClassifier
    policy: str
    report: LearningReport
    front: tuple[SweepPoint, ...] = ()
    forest: ModelFile | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_found(self) -> bool:
        """Whether there is a list that meets what was asked for."""
        return getattr(self.learner, "status_", "feasible") != "unknown"

    @property
    def stopped_by(self) -> str:
        """What ended the search."""
        return str(getattr(self.learner, "stopped_by_", "completed"))


@dataclass(frozen=True, slots=True, eq=False)
class _BlackBox:
    """A black box as the learner takes it, and how the policy is to find it."""

    estimator: Any
    uri: str | None = None
    inputs: tuple[str, ...] | None = None
    column: str | None = None
    is_ours: bool = False
    notes: tuple[str, ...] = ()


def learn(order: Order, progress: ProgressListener | None = None) -> Learned:
    """Read, split by the seed, fit, measure on the held-out rows, write as text.

    Raises UnknownNameError for a column that is not there, DataError for data that cannot be learned from, SettingError
    for settings that contradict each other, ModelError for a black box that cannot be used, InfeasibleError.
    """
    chunk = every_row(order.file)
    schema = order.file.own_schema()
    _require_columns(order, schema.names)
    frame = file_frame(chunk, schema, order.excluded)
    labels = frame[order.target]
    two_classes(labels.to_numpy(), np.ones(len(labels), dtype=np.bool_))
    table, empty = _features(frame, order)
    black_box = _black_box(order, frame, table)
    training, testing = split_rows(len(table), order.held_out, order.seed)
    learner = order.learner.set_params(black_box=black_box.estimator, progress=progress)
    taught, held_out = ((table.iloc[rows], labels.iloc[rows]) for rows in (training, testing))
    learner.fit(*taught)
    learner.features_ = describe_features(table)  # so that the policy reads the held-out rows too
    return Learned(
        learner=learner,
        policy=_policy(learner, order, black_box, [*frame.columns]),
        report=report(learner, *held_out, title=order.title or order.output.stem),
        front=_front(learner, taught, held_out, order.shares),
        forest=ModelFile(str(black_box.uri), _stored(learner.black_box_)) if black_box.is_ours else None,
        notes=(*empty, *black_box.notes),
    )


def _require_columns(order: Order, headers: list[str]) -> None:
    wanted = [order.target, *([order.answers] if order.answers is not None else []), *order.excluded]
    for column in wanted:
        if column not in headers:
            near = nearest(column, headers)
            guess = f"; did you mean `{near}`?" if near is not None else f"; its columns are {', '.join(headers[:12])}"
            raise UnknownNameError(f"the data have no column `{column}`{guess}")
    if order.target in order.excluded or order.answers in (order.target, *order.excluded):
        raise SettingError("the target, the black box's predictions and the excluded columns must be different ones")


def _features(frame: pd.DataFrame, order: Order) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The columns to learn from: all but target, answers and those that hold no value, of which the notes tell."""
    table = frame.drop(columns=[order.target, *([order.answers] if order.answers is not None else [])])
    empty = [name for name in table.columns if table[name].isna().all()]
    if len(table.columns) == len(empty):
        raise LearningDataError(f"no column with values is left to learn `{order.target}` from")
    return table.drop(columns=empty), tuple(f"column `{name}` holds no value and is left out" for name in empty)


def split_rows(rows: int, held_out: float, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of training and of held-out rows, each in the file's own order, drawn by a seed.

    Raises LearningDataError where there are too few rows.
    """
    shuffled = np.random.default_rng(seed).permutation(rows)
    kept = round(rows * held_out)
    if kept == 0 or rows - kept < 2:
        raise LearningDataError(f"{rows} rows are too few to learn from and to hold out a share of {held_out}")
    return np.sort(shuffled[kept:]), np.sort(shuffled[:kept])


def _black_box(order: Order, frame: pd.DataFrame, table: pd.DataFrame) -> _BlackBox:
    if order.answers is not None:
        return _BlackBox(RecordedAnswers(frame[order.answers]), column=order.answers)
    if order.black_box is not None:
        return _model(order, order.black_box, frame[order.target], table)
    return _BlackBox(portable_forest(table, order.seed), f"models/{order.output.stem}.skops", is_ours=True)


def _model(order: Order, uri: str, labels: pd.Series[Any], table: pd.DataFrame) -> _BlackBox:
    """The model of a file, which the policy names relative to its own folder."""
    scheme, location = _parts(uri)
    path = Path(location).resolve()
    model = load_model("black_box", uri, Path.cwd(), [path.parent])
    for column in model.inputs or ():
        if column in order.excluded:
            raise SettingError(f"the black box reads `{column}`, which is excluded: give one that does without it")
    inputs = model.inputs
    if inputs is not None and not set(inputs) <= set(table.columns):
        absent = next(column for column in inputs if column not in table.columns)
        raise LearningDataError(f"the black box reads `{absent}`, but the data have no values for it")
    folder = order.output.parent.resolve()
    relative = Path(os.path.relpath(path, folder)).as_posix()
    outside = not path.is_relative_to(folder)
    note = f"the model lies outside the policy's folder: load the policy with --allow-path {path.parent}"
    known = pd.unique(labels.dropna())
    return _BlackBox(ModelBlackBox(model, list(known)), scheme + relative, inputs, notes=(note,) if outside else ())


def _parts(uri: str) -> tuple[str, str]:
    """`joblib:` and what follows; no scheme where the URI is a path."""
    scheme, colon, location = uri.partition(":")
    return (scheme + colon, location) if colon and len(scheme) > 1 and "/" not in scheme else ("", uri)


def _front(
    learner: HybridClassifier, training: tuple[Any, Any], held_out: tuple[Any, Any], shares: tuple[float, ...]
) -> tuple[SweepPoint, ...]:
    """A list for each share, up to the first that is interrupted."""
    found: list[SweepPoint] = []
    last: HybridClassifier | None = learner
    for share in shares:
        if getattr(last, "stopped_by_", None) == "interrupted":
            break
        found += sweep(learner, training, held_out, (share,))
        last = found[-1].learner
    return tuple(found)


def _policy(learner: HybridClassifier, order: Order, black_box: _BlackBox, columns: list[str]) -> str:
    name = order.output.stem
    return learner.to_policy(
        name,
        title=order.title,
        decision=order.decision or (name if name not in columns else f"predicted_{order.target}"),
        black_box_name=_free("black_box", columns),
        black_box_uri=black_box.uri,
        black_box_inputs=black_box.inputs,
        black_box_column=black_box.column,
        data_date=order.date,
    )


def _free(name: str, columns: list[str]) -> str:
    """The name, or where a column has it the first of name_2, name_3, … that none has."""
    numbered = (f"{name}_{number}" for number in range(2, len(columns) + 3))
    return next(each for each in (name, *numbered) if each not in columns)


def _stored(model: Any) -> bytes:
    from skops.io import dumps

    data: bytes = dumps(model, compression=zipfile.ZIP_DEFLATED)
    return data
