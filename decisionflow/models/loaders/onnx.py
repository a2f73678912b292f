"""ONNX graphs, run by onnxruntime on one thread so that batch and single row agree."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from decisionflow.errors import ModelError
from decisionflow.models import messages
from decisionflow.models.artefact import Artefact
from decisionflow.models.extras import extra
from decisionflow.models.model import Kind, Label, Model

Run = Callable[[pd.DataFrame], Any]
LABEL_ATTRIBUTES = ("classlabels_strings", "classlabels_int64s", "classlabels_ints")
NUMPY = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
    "tensor(string)": np.object_,
}


def read_onnx(artefact: Artefact) -> Model:
    """The graph of an `.onnx` file: one input a column, by name, or one matrix whose columns have no names.

    A classifier (an output of labels beside one of probabilities, as converters write them) offers probability and
    label; a graph with one output offers a number. Class labels come from the file where it holds them, else from a
    manifest.
    """
    extra(artefact.name, "onnxruntime", "onnx")
    try:
        session = Session(artefact.data)
    except Exception as error:
        raise ModelError(messages.unreadable(artefact.name, artefact.path, "ONNX", error)) from error
    return _model(artefact, session)


class Session:
    """A session of onnxruntime that can be sent to another process, where it is begun anew from the file's bytes."""

    def __init__(self, data: bytes) -> None:
        runtime = importlib.import_module("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        self._data = data
        self._begun = runtime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        self.get_inputs, self.get_outputs, self.run = (
            self._begun.get_inputs,
            self._begun.get_outputs,
            self._begun.run,
        )

    def __reduce__(self) -> tuple[type[Session], tuple[bytes]]:
        return Session, (self._data,)


def _model(artefact: Artefact, session: Session) -> Model:
    given, made = session.get_inputs(), session.get_outputs()
    width = given[0].shape[1] if len(given) == 1 and len(given[0].shape) == 2 else None
    matrix = len(given) == 1 and width != 1
    classifier = len(made) > 1
    return Model(
        name=artefact.name,
        functions=_functions(session, matrix, classifier),
        inputs=None if matrix else tuple(each.name for each in given),
        width=width if matrix and isinstance(width, int) else None,
        classes=_classes(artefact, session) if classifier else None,
        missing_inputs=frozenset(),
        subject=session,
    )


def _functions(session: Session, matrix: bool, classifier: bool) -> dict[Kind, Run]:
    names = [each.name for each in session.get_outputs()]

    def run(place: int) -> Run:
        def predict(frame: pd.DataFrame) -> Any:
            found = session.run([names[place]], _fed(session, frame, matrix))[0]
            return _table(found) if isinstance(found, list) else found

        return predict

    return {"label": run(0), "probability": run(1)} if classifier else {"number": run(0)}


def _fed(session: Session, frame: pd.DataFrame, matrix: bool) -> dict[str, Any]:
    given = session.get_inputs()
    if matrix:
        return {given[0].name: frame.to_numpy().astype(NUMPY[given[0].type])}
    return {each.name: frame[each.name].to_numpy().astype(NUMPY[each.type]).reshape(-1, 1) for each in given}


def _table(shares: list[dict[Any, float]]) -> Any:
    """A sequence of maps from class to probability, as converters write by default, as an array in the maps' order."""
    return np.array([list(each.values()) for each in shares], dtype=np.float32)


def _classes(artefact: Artefact, session: Session) -> tuple[Label, ...] | None:
    """The labels that the graph stores, else the manifest's, else 0 to k − 1 where the label is a number."""
    onnx = extra(artefact.name, "onnx", "onnx")
    graph = onnx.load_from_string(artefact.data).graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.name in LABEL_ATTRIBUTES and (attribute.strings or attribute.ints):
                return tuple(each.decode() for each in attribute.strings) or tuple(attribute.ints)
    for tensor in graph.initializer:
        if tensor.name == "classes":
            found = onnx.numpy_helper.to_array(tensor).tolist()
            return tuple(each.decode() if isinstance(each, bytes) else each for each in found)
    if artefact.classes is not None:
        return artefact.classes
    label, shares = session.get_outputs()[:2]
    width = shares.shape[1] if len(shares.shape) == 2 else None
    return tuple(range(width)) if label.type == "tensor(int64)" and isinstance(width, int) else None
