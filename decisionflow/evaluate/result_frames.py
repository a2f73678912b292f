"""Results as frames and Arrow tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from decisionflow.evaluate.answer import Answer
from decisionflow.evaluate.coded_answer import CodedAnswer
from decisionflow.evaluate.collecting import scalars
from decisionflow.evaluate.outcome import STATUSES
from decisionflow.evaluate.result import Result
from decisionflow.evaluate.rule_sets import distinct
from decisionflow.evaluate.vector import Values
from decisionflow.types import Boolean, Date, Integer, ListOf, Number, Record, Timestamp, Type, Vocabulary


def as_pandas(result: Result) -> pd.DataFrame:
    """The columns of a result as a frame."""
    columns: dict[str, Any] = {}
    for name in result.answers:
        found = result[name]
        for column, values, kind in _parts(name, found.answer, found.decision.held):
            columns[column] = _series(values, kind, found.decided)
        columns |= {
            f"{name}.rule": _by_set(found.answer.rules, found.rule_text),
            f"{name}.status": _texts(list(STATUSES), found.answer.status),
            f"{name}.reasons": _by_set(found.answer.agreeing, found.reasons_text),
        }
    columns["problem"] = _problems(result) if result.problems else _texts([""], np.zeros(len(result), np.intp))
    return pd.DataFrame(columns, index=_index(result))


def as_arrow(result: Result) -> pa.Table:
    """The columns of a result as an Arrow table."""
    columns: dict[str, Any] = {}
    for name in result.answers:
        found = result[name]
        for column, values, kind in _parts(name, found.answer, found.decision.held):
            columns[column] = _arrow(values, kind, found.decided)
        columns[f"{name}.rule"] = _sets(found.answer.rules, found.rule_text)
        columns[f"{name}.status"] = pa.DictionaryArray.from_arrays(pa.array(found.answer.status), list(STATUSES))
        columns[f"{name}.reasons"] = _sets(found.answer.agreeing, found.reasons_text)
    columns["problem"] = pa.array(_problems(result), pa.string()) if result.problems else pa.repeat("", len(result))
    return pa.table(columns)


def as_it_came(result: Result) -> Any:
    """The columns of a result in the kind of its data; a pandas frame where that was none of those that we write."""
    source = result.table.source
    if type(source).__module__.partition(".")[0] == "polars":
        import polars

        return polars.from_arrow(as_arrow(result))
    if isinstance(source, pa.Table | pa.RecordBatch):
        return as_arrow(result)
    if isinstance(source, Mapping):
        return as_arrow(result).to_pylist()[0]
    return as_arrow(result).to_pylist() if isinstance(source, Sequence) else as_pandas(result)


def _parts(name: str, answer: Answer | CodedAnswer, kind: Type) -> Iterator[tuple[str, Values, Type]]:
    """The columns of a decision's values: one, or one for each part of a record."""
    if not isinstance(kind, Record):
        yield name, answer.values, kind
        return
    for part, inner in kind.parts:
        yield f"{name}.{part}", answer.values[part], inner


def _series(values: Values, kind: Type, decided: NDArray[np.bool_]) -> Any:
    if isinstance(kind, Number):
        return np.where(decided, values, np.nan)
    if isinstance(kind, Integer | Boolean):
        if decided.all():
            return values
        masked = pd.arrays.IntegerArray if isinstance(kind, Integer) else pd.arrays.BooleanArray
        return masked(np.asarray(values), ~decided)
    if isinstance(kind, Vocabulary) and decided.any():
        return _texts([*kind.labels, None], np.where(decided, values, np.int32(-1)))
    return _decoded(values, kind, decided)


def _by_set(codes: NDArray[np.int32], shown: Callable[[int], str]) -> Any:
    known, places = distinct(codes)
    return _texts([shown(code) for code in known.tolist()], places)


def _texts(texts: list[Any], places: NDArray[Any]) -> Any:
    """Texts by their places, as pandas itself would keep them: it would look at every single one to find that out."""
    few: NDArray[Any] = np.array(texts, dtype=object)
    kept: Any = pd.Series(few).dtype
    if isinstance(kept, np.dtype):
        return few[places]
    return pd.array(texts, dtype=kept).take(np.where(places < 0, len(texts) + places, places))


def _decoded(values: Values, kind: Type, decided: NDArray[np.bool_]) -> NDArray[Any]:
    found = np.full(len(decided), None, dtype=object)
    if isinstance(kind, Vocabulary):
        found[decided] = np.array(kind.labels, dtype=object)[values[decided]]
        return found
    chosen = np.flatnonzero(decided)
    for row, item in zip(chosen.tolist(), scalars(values, kind, chosen), strict=True):
        found[row] = item
    return found


def _arrow(values: Values, kind: Type, decided: NDArray[np.bool_]) -> Any:
    match kind:
        case Vocabulary(labels=labels):
            return pa.DictionaryArray.from_arrays(pa.array(values, mask=~decided), pa.array(labels, pa.string()))
        case Number() | Integer() | Boolean():
            return pa.array(values, mask=~decided)
        case Date():
            return pa.array(values.astype(np.int32), mask=~decided).cast(pa.date32())
        case Timestamp():
            return pa.array(values, mask=~decided).cast(pa.timestamp("us", tz="UTC"))
        case ListOf():
            lists = [list(item) if item is not None else None for item in _decoded(values, kind, decided)]
            return pa.array(lists, type=pa.list_(_arrow_type(kind.item)))
    return pa.array(_decoded(values, kind, decided), type=_arrow_type(kind))


def _arrow_type(kind: Type) -> pa.DataType:
    match kind:
        case Number():
            return pa.float64()
        case Integer():
            return pa.int64()
        case Boolean():
            return pa.bool_()
        case Date():
            return pa.date32()
        case Timestamp():
            return pa.timestamp("us", tz="UTC")
        case Record(parts=parts):
            return pa.struct([(name, _arrow_type(part)) for name, part in parts])
    return pa.string()


def _sets(codes: NDArray[np.int32], shown: Callable[[int], str]) -> pa.DictionaryArray:
    known, places = distinct(codes)
    texts = [shown(code) for code in known.tolist()]
    vocabulary = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    merged = np.array([vocabulary[text] for text in texts], np.int32)
    return pa.DictionaryArray.from_arrays(pa.array(merged[places]), pa.array(list(vocabulary), pa.string()))


def _problems(result: Result) -> NDArray[Any]:
    texts = np.full(len(result), "", dtype=object)
    for row, text in result.problems.items():
        texts[row] = text
    return texts


def _index(result: Result) -> Any:
    source = result.table.source
    return source.index if isinstance(source, pd.DataFrame) else pd.RangeIndex(len(result))
