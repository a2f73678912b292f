"""Large tables by one compiled loop; the rows that it cannot decide are left to the blocks of columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.evaluate.coded_answer import CodedAnswer
from decisionflow.evaluate.constants import dtype_of
from decisionflow.evaluate.kernel_columns import Fed, Part, fed_column
from decisionflow.evaluate.kernel_source import KernelSource, kernel_source
from decisionflow.evaluate.kernel_text import NOTHING, STORAGE, kernel_dtype
from decisionflow.evaluate.settings import Settings
from decisionflow.program.program import Program
from decisionflow.tables.scalars import EPOCH_DAY
from decisionflow.tables.table import Table

Rows = NDArray[np.intp]

MOST_ATOMS = 300
"""More than these, and compiling costs more than it saves."""

MOST_WHOLE = 2000
"""More than these, and the arrays of one block no longer stay in the cache."""

BLOCK_ROWS = 8192
"""Rows decided together: few enough that what is computed of them stays in the cache."""

WHOLE_BLOCK = 16_384
"""Rows of one step of a kernel that is not compiled: measured, it keeps less than columns with states do."""

COMPILED_BLOCK = 262_144
"""Rows that the loop is given at once: calling it costs some 50 us, converting more at once leaves the cache."""

_NARROW, _WIDE = np.uint8, np.int32

Form = Literal["compiled", "whole", "plain"]
"""A loop compiled to machine code, the same steps on whole arrays, or the loop as plain Python, to try it out."""


@dataclass(frozen=True)
class Kernel:
    """The generated function of some decisions; `block` is how many rows it is given at once."""

    program: Program
    source: KernelSource
    run: Callable[..., None]
    hits: Any
    block: int

    @property
    def slow(self) -> int:
        """The hit of a row that the evaluator has to decide."""
        return int(np.iinfo(self.hits).max)

    def decide(self, table: Table, settings: Settings) -> tuple[dict[str, CodedAnswer], Rows]:
        """What the decisions say about a table, and the rows that are left to the evaluator."""
        decisions, today = self.program.decisions, (settings.today - EPOCH_DAY).days
        fed = [fed_column(table, self.program.features[name]) for name in self.source.columns]
        given_up = _any([each.given_up for each in fed], table.rows)
        parts, masks = self._read(fed, table.rows)
        hits = [np.empty(table.rows, self.hits) for _ in self.source.decisions]
        values = {name: np.empty(table.rows, dtype_of(decisions[name].type)) for name in self.source.computed}
        written = [*hits, *values.values()]
        with np.errstate(all="ignore"):
            for start in range(0, table.rows, self.block):
                rows = slice(start, min(start + self.block, table.rows))
                given = (given_up[rows], *(part(rows) for part in parts), *(mask[rows] for mask in masks))
                read = map(_to_read, given)
                self.run(rows.stop - start, today, *read, *(array[rows] for array in written))
        left = np.flatnonzero(hits[0] == self.slow)
        answers = {
            name: CodedAnswer(decisions[name], found, values.get(name), left)
            for name, found in zip(self.source.decisions, hits, strict=True)
        }
        return answers, left

    def _read(self, fed: list[Fed], rows: int) -> tuple[list[Part], list[NDArray[np.uint8]]]:
        """The columns and the masks that the function takes."""
        if not self.source.masked:
            return [each.part for each in fed], []
        known = np.zeros(rows, np.uint8)
        by_name = dict(zip(self.source.columns, fed, strict=True))
        missing = [by_name[name].missing for name in self.source.masked]
        masks = [known if mask is None else mask.view(np.uint8) for mask in missing]
        return [each.unfilled or each.part for each in fed], masks


def kernel_of(program: Program, decisions: tuple[str, ...], form: Form, gaps: bool = False) -> Kernel | None:
    """The kernel of some decisions, compiled at once; None where it would not pay or cannot be written.

    `gaps` is for tables whose numbers come with masks.
    """
    source = kernel_source(program, decisions, form == "whole", gaps)
    if source is None or source.atoms > (MOST_WHOLE if form == "whole" else MOST_ATOMS) or not source.columns:
        return None
    hits = _NARROW if source.hits < np.iinfo(_NARROW).max else _WIDE
    scope: dict[str, Any] = {"np": np, "NOTHING": NOTHING, "SLOW": hits(np.iinfo(hits).max), "hit_class": hits}
    scope["hit_where"] = _narrow_hit if hits is _NARROW else _hit
    scope |= {f"{name}_class": STORAGE[name] for name in STORAGE}
    scope |= {f"H{place}": hits(place) for place in range(source.hits + 1)}
    exec(compile(source.text, f"<kernel of {program.name}>", "exec"), scope)  # noqa: S102
    function = scope["kernel"]
    if form != "compiled":
        return Kernel(program, source, function, hits, WHOLE_BLOCK)
    compiled = _machine_code(program, source, function, hits)
    return None if compiled is None else Kernel(program, source, compiled, hits, COMPILED_BLOCK)


def _machine_code(program: Program, source: KernelSource, function: Any, hits: Any) -> Any:
    """The compiled function, for arrays that lie in one piece; those that it reads are not written to.

    None for what Numba cannot compile.
    """
    import numba
    from numba.core.errors import NumbaError

    read = [np.uint8, *(kernel_dtype(program.features[name].type) for name in source.columns)]
    read += [np.uint8 for _ in source.masked]
    written = [*(hits for _ in source.decisions), *(dtype_of(program.decisions[name].type) for name in source.computed)]
    arrays = [_array_type(dtype, readonly=True) for dtype in read]
    arrays += [_array_type(dtype, readonly=False) for dtype in written]
    signature = numba.void(numba.int64, numba.int64, *arrays)
    try:
        return numba.njit(signature, nogil=True, error_model="numpy")(function)
    except NumbaError:
        return None


def _array_type(dtype: Any, readonly: bool) -> Any:
    import numba

    return numba.types.Array(numba.from_dtype(np.dtype(dtype)), 1, "C", readonly=readonly)


def _hit(hits: NDArray[Any], condition: Any, place: Any) -> None:
    """The hit of a rule where its condition holds, in place of that of a later rule."""
    np.copyto(hits, place, where=condition)


def _narrow_hit(hits: NDArray[np.uint8], condition: Any, place: np.uint8) -> None:
    """The same for hits of a byte: the place where the condition holds, else the largest byte, is never above a hit."""
    if isinstance(condition, np.ndarray):
        np.minimum(hits, (condition.view(np.uint8) - np.uint8(1)) | place, out=hits)
    else:
        _hit(hits, condition, place)


def _any(masks: list[NDArray[np.bool_] | None], rows: int) -> NDArray[np.uint8]:
    """Where any of the masks holds."""
    found = np.zeros(rows, np.bool_)
    for mask in masks:
        if mask is not None:
            found |= mask
    return found.view(np.uint8)


def _to_read(part: NDArray[Any]) -> NDArray[Any]:
    """A part of a column in one piece, to be read only."""
    whole = np.require(part, requirements=["C", "A"]).view()
    whole.flags.writeable = False
    return whole
