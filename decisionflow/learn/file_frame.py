"""The columns of a data file as learners and models read them, their types told from their values."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from decisionflow.learn.learning_errors import LearningDataError
from decisionflow.program.declarations import Feature, Reading
from decisionflow.tables.arrow_cells import arrow_cells
from decisionflow.tables.column_reader import read_column
from decisionflow.tables.files.chunk import Chunk
from decisionflow.tables.frame import model_frame
from decisionflow.tables.notation import Notation
from decisionflow.tables.read_table import read_table
from decisionflow.tables.writing.own_columns import own_columns
from decisionflow.types import Boolean, Date, Integer, Number, Text, Timestamp, Type

TYPES_OF_TEXT: tuple[Type, ...] = (Integer(), Number(), Date(), Timestamp())
MOST_LABELS = 200


def file_frame(chunk: Chunk, schema: pa.Schema, excluded: Sequence[str] = ()) -> pd.DataFrame:
    """All rows and columns of a file but the excluded ones, each value as a policy would hand it to a model.

    A column of texts that all read as whole numbers, numbers or true and false is of that type; any other one is a
    vocabulary. Raises LearningDataError for a row that cannot be read, for moments, and for a column of more than 200
    different texts, which is free text or names its row.
    """
    if chunk.rejects:
        first = chunk.rejects[0]
        line = f" (line {first.line})" if first.line is not None else ""
        raise LearningDataError(
            f"{len(chunk.rejects)} of {chunk.rows} rows cannot be read, the first row {first.row}{line}: {first.reason}"
        )
    table = own_columns(chunk, schema)
    table = table.select([name for name in table.column_names if name not in excluded])
    types = {name: _type(name, table.column(name), chunk.notation) for name in table.column_names}
    features = {name: Feature(name, kind, Reading(name), optional=True) for name, kind in types.items()}
    columns = read_table(table, features, notation=chunk.notation).columns
    return model_frame(columns, types)


def _type(name: str, column: pa.ChunkedArray, notation: Notation) -> Type:
    kind = column.type
    if pa.types.is_boolean(kind):
        return Boolean()
    if pa.types.is_integer(kind):
        return Integer()
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return Number()
    if pa.types.is_temporal(kind):
        raise _holds_moments(name)
    return _type_of_text(name, column, notation)


def _type_of_text(name: str, column: pa.ChunkedArray, notation: Notation) -> Type:
    texts = [text for text in pc.unique(column).to_pylist() if text]
    if not texts:
        return Text()
    if {str(text).lower() for text in texts} <= {"true", "false"}:
        return Boolean()
    cells = arrow_cells(pa.array(texts))
    for kind in TYPES_OF_TEXT:
        if not read_column(cells, Feature(name, kind, Reading(name)), notation).problems:
            if isinstance(kind, Date | Timestamp):
                raise _holds_moments(name)
            return kind
    if len(texts) > MOST_LABELS:
        raise LearningDataError(
            f"column `{name}` holds {len(texts)} different texts, too many for a vocabulary: leave it out with "
            f"--exclude {name}, or group them"
        )
    return Text()


def _holds_moments(name: str) -> LearningDataError:
    return LearningDataError(
        f"column `{name}` holds dates or times, which learners do not read: turn it into a number, such as days until "
        f"a date, or leave it out with --exclude {name}"
    )
