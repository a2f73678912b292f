"""The frame of a model's inputs."""

import numpy as np
import pandas as pd

from decisionflow.tables.frame import model_frame
from decisionflow.tables.table import KNOWN, MISSING_STATE, Column
from decisionflow.types import BOOLEAN, DATE, INTEGER, NUMBER, TEXT, TIMESTAMP, Vocabulary

GAP = np.array([KNOWN, MISSING_STATE, KNOWN], np.uint8)
TYPES = {
    "job": Vocabulary(("clerk", "nurse")),
    "income k": INTEGER,
    "x": NUMBER,
    "b": BOOLEAN,
    "t": TEXT,
    "d": DATE,
    "at": TIMESTAMP,
}


def columns(states=None):
    values = {
        "job": np.array([0, 1, 1], np.int32),
        "income k": np.array([1, 2, 3]),
        "x": np.array([0.5, 1.5, 2.5]),
        "b": np.array([True, False, True]),
        "t": np.array(["p", "q", "r"], object),
        "d": np.array([0, 1, 19782]),
        "at": np.array([0, 1, 2_000_000]),
    }
    return {name: Column(array, states) for name, array in values.items()}


def test_types_and_names_are_those_a_model_was_trained_with():
    frame = model_frame(columns(), TYPES)
    assert list(frame.columns) == list(TYPES)
    assert [str(dtype) for dtype in frame.dtypes] == [
        "object",
        "int64",
        "float64",
        "bool",
        "object",
        "datetime64[us]",
        "datetime64[us]",
    ]
    assert frame["job"].tolist() == ["clerk", "nurse", "nurse"]
    assert frame["d"].tolist() == [pd.Timestamp("1970-01-01"), pd.Timestamp("1970-01-02"), pd.Timestamp("2024-02-29")]


def test_rows_are_taken_in_order():
    frame = model_frame(columns(), TYPES, np.array([2, 0]))
    assert frame["income k"].tolist() == [3, 1]
    assert frame.index.tolist() == [0, 1]
    assert model_frame({}, {}, np.array([1, 2])).shape == (2, 0)


def test_a_gap_is_missing_and_changes_no_other_row():
    frame = model_frame(columns(GAP), TYPES)
    assert frame.loc[1].isna().all()
    assert [str(dtype) for dtype in frame.dtypes] == [
        "object",
        "float64",
        "float64",
        "object",
        "object",
        "datetime64[us]",
        "datetime64[us]",
    ]
    whole = model_frame(columns(GAP), TYPES, np.array([0, 2]))
    assert [str(dtype) for dtype in whole.dtypes] == [str(dtype) for dtype in model_frame(columns(), TYPES).dtypes]
    assert frame.loc[[0, 2], "income k"].tolist() == [1, 3]
