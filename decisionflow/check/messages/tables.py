"""What is said about decision tables (DF05xx)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from decisionflow.check.messages.names import listed
from decisionflow.diagnostics import Diagnostic, Note, did_you_mean
from decisionflow.source import Span
from decisionflow.syntax import tree

if TYPE_CHECKING:
    from decisionflow.tables.grids import GridCell


def empty_cell(cell: GridCell) -> Diagnostic:
    """A condition that was left empty."""
    return Diagnostic(
        "DF0501",
        cell.span,
        f"cell {cell.name} is empty: any value, a missing one, or one forgotten?",
        "write `-` for anything, missing included, or `missing`",
    )


def empty_outcome(cell: GridCell) -> Diagnostic:
    """An outcome that was left empty."""
    return Diagnostic("DF0502", cell.span, f"cell {cell.name} gives no outcome", "write the outcome's value")


def unknown_output(head: tree.Name, decision: str, known: Sequence[str]) -> Diagnostic:
    """An output column that is not the decision's."""
    advice = did_you_mean(head.name, known) or f"it has {listed(known)}; input columns stand before `||`"
    return Diagnostic("DF0503", head.span, f"`{head.name}` is not an output of `{decision}`", advice)


def output_twice(head: tree.Name) -> Diagnostic:
    """Two output columns of one name."""
    return Diagnostic("DF0503", head.span, f"output `{head.name}` has two columns", "take one of them out")


def output_lacking(table: tree.Table, decision: str, lacking: Sequence[str]) -> Diagnostic:
    """A table without a column for what it decides."""
    span = table.outputs[-1].span if table.outputs else table.span
    return Diagnostic(
        "DF0504", span, f"`{decision}` needs an output column for {listed(lacking)}", f"add a column `{lacking[0]}`"
    )


def no_rows(node: tree.Decision, table: tree.Table) -> Diagnostic:
    """A table with heads only."""
    return Diagnostic("DF0505", table.span, f"the table of `{node.name.name}` has no rows", "add a row below its heads")


def merged_cell(span: Span, name: str, merged: str) -> Diagnostic:
    """A cell that is part of a merged range."""
    return Diagnostic(
        "DF0506", span, f"cell {name} is part of the merged cells {merged}", "unmerge them and fill every cell"
    )


def unknown_sheet(option: tree.Option | tree.TableFrom, name: str, known: Sequence[str]) -> Diagnostic:
    """A sheet that the workbook does not have."""
    return Diagnostic(
        "DF0507",
        option.span,
        f"the workbook has no sheet `{name}`",
        did_you_mean(name, known) or f"its sheets are {listed(known)}",
    )


def which_sheet(node: tree.TableFrom, known: Sequence[str]) -> Diagnostic:
    """A workbook with several sheets and no word on which to read."""
    return Diagnostic(
        "DF0507", node.path.span, f"the workbook has several sheets: {listed(known)}", f'add `sheet "{known[0]}"`'
    )


def no_output_column(path: tree.Text, decision: str, known: Sequence[str], heads: str) -> Diagnostic:
    """A table file none of whose columns is headed with what it decides."""
    other = next((mark for mark in ";\t|" if mark in heads), None)
    advice = f"head the output column `{known[0]}`"
    return Diagnostic(
        "DF0508",
        path.span,
        f"no column is headed {listed(known)}, so nothing says what `{decision}` decides",
        advice if other is None else f'the cells seem to be parted by another sign: add `delimiter "{other}"`',
    )


def empty_head(span: Span, name: str) -> Diagnostic:
    """A column without a head."""
    return Diagnostic("DF0509", span, f"cell {name} heads a column and is empty", "name the column, or take it out")


def head_twice(span: Span, head: str, first: Span) -> Diagnostic:
    """Two columns under one head."""
    return Diagnostic(
        "DF0509", span, f"two columns are headed `{head}`", "take one of them out", (Note(first, "the first is here"),)
    )


def wrong_cell_count(span: Span, found: int, expected: int) -> Diagnostic:
    """A line with more or fewer cells than heads."""
    return Diagnostic(
        "DF0510",
        span,
        f"this row has {found} cell{'s' * (found != 1)}, and the table has {expected} column{'s' * (expected != 1)}",
        "write one cell under each head; a comma inside a cell takes quotes around the cell",
    )


def option_unsuited(option: tree.Option, kind: str) -> Diagnostic:
    """An option that the file's format does not have."""
    return Diagnostic("DF0511", option.span, f"`{option.words}` does not go with {kind}", "take it out")


def option_value(option: tree.Option, allowed: str) -> Diagnostic:
    """A delimiter or decimal mark that cannot be one."""
    return Diagnostic("DF0511", option.span, f"`{option.words}` is {allowed}", f'write `{option.words} ";"`')


def option_twice(option: tree.Option) -> Diagnostic:
    """An option that is given twice."""
    return Diagnostic("DF0511", option.span, f"`{option.words}` is given twice", "take one of them out")


def delimiter_is_decimal(option: tree.Option) -> Diagnostic:
    """One character for both purposes."""
    return Diagnostic(
        "DF0511", option.span, "the decimal mark is the delimiter as well", 'write `delimiter ";" decimal ","`'
    )


def value_unsuited(span: Span, value: str, expected: str) -> Diagnostic:
    """A real value of a spreadsheet where a value of another type stands."""
    return Diagnostic("DF0512", span, f"the cell holds {value}, and {expected} is expected", "change the cell's value")


def broken_quotes(span: Span) -> Diagnostic:
    """A CSV cell whose quotes do not end."""
    return Diagnostic("DF0513", span, "the quotes of this cell do not end", 'a quote inside a cell is written `""`')


def no_head(path: tree.Text) -> Diagnostic:
    """A table file without a single line."""
    return Diagnostic("DF0509", path.span, f"`{path.value}` is empty", "its first line heads the columns")
