"""`table from`: a CSV or XLSX file as the table that it spells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from decisionflow.check.cell_texts import Column, head_of, input_cell, outcome
from decisionflow.check.files import Files
from decisionflow.check.messages import files as file_messages
from decisionflow.check.messages import tables as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.diagnostics import Diagnostic
from decisionflow.frozen import frozen
from decisionflow.syntax import tree
from decisionflow.syntax.parse import decode
from decisionflow.tables.grids import GridCell, Row, UnclosedQuotes, csv_rows, sheet_names, xlsx_rows
from decisionflow.types import Record, Type

NAMING = ("rule", "row")


@frozen
class Dialect:
    """How a CSV file is written."""

    delimiter: str = ","
    decimal: str = "."


def table_from_file(
    node: tree.Decision, body: tree.TableFrom, wanted: Wanted | None, context: Context, files: Files
) -> tree.Table | None:
    """The table that a file spells, its outputs the columns headed with the decision's name or its parts."""
    path = files.locate(body.path, context.report)
    if path is None:
        return None
    dialect, rows = _read(body, path, context, files)
    if rows is None or wanted is None:
        return None
    if not rows:
        context.report.add(messages.no_head(body.path))
        return None
    return _table(node, body, wanted.type, rows, dialect, context, files)


def _read(body: tree.TableFrom, path: Path, context: Context, files: Files) -> tuple[Dialect, Sequence[Row] | None]:
    """The rows of the file, None after a message."""
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".xlsx"):
        context.report.add(file_messages.unknown_format(body.path))
        return Dialect(), None
    options = _options(body, suffix, context)
    if options is None:
        return Dialect(), None
    try:
        if path.stat().st_size > files.limits.file_bytes:
            context.report.add(file_messages.too_large(body.path, files.limits.file_bytes))
            return Dialect(), None
        if suffix == ".xlsx":
            return Dialect(), _workbook_rows(body, path, options, context, files)
        dialect = Dialect(_text(options.get("delimiter"), ","), _text(options.get("decimal"), "."))
        return dialect, _csv(body, path, dialect, context, files)
    except OSError as fault:
        context.report.add(file_messages.cannot_be_read(body.path, fault.strerror or str(fault)))
        return Dialect(), None


def _text(option: tree.Option | None, otherwise: str) -> str:
    return option.value.value if option is not None and isinstance(option.value, tree.Text) else otherwise


def _options(body: tree.TableFrom, suffix: str, context: Context) -> dict[str, tree.Option] | None:
    """The options by name, None after a message."""
    suited = {".csv": ("delimiter", "decimal"), ".xlsx": ("sheet",)}[suffix]
    found: dict[str, tree.Option] = {}
    wrong: list[Diagnostic] = []
    for option in body.options:
        if option.words in found:
            wrong.append(messages.option_twice(option))
        elif option.words not in suited:
            wrong.append(messages.option_unsuited(option, "a CSV file" if suffix == ".csv" else "an XLSX file"))
        elif option.words == "delimiter" and (len(_text(option, "")) != 1 or _text(option, "") in '"\r\n'):
            wrong.append(messages.option_value(option, "one character"))
        elif option.words == "decimal" and _text(option, "") not in (".", ","):
            wrong.append(messages.option_value(option, "a point or a comma"))
        found.setdefault(option.words, option)
    if not wrong and suffix == ".csv" and _text(found.get("delimiter"), ",") == _text(found.get("decimal"), "."):
        wrong.append(messages.delimiter_is_decimal(found["decimal"] if "decimal" in found else found["delimiter"]))
    for diagnostic in wrong:
        context.report.add(diagnostic)
    return None if wrong else found


def _csv(body: tree.TableFrom, path: Path, dialect: Dialect, context: Context, files: Files) -> Sequence[Row] | None:
    source = decode(files.shown(path), path.read_bytes(), files.limits)
    if isinstance(source, Diagnostic):
        context.report.add(file_messages.not_utf8(body.path))
        return None
    try:
        return list(csv_rows(source, dialect.delimiter))
    except UnclosedQuotes as fault:
        context.report.add(messages.broken_quotes(fault.span))
        return None


def _workbook_rows(
    body: tree.TableFrom, path: Path, options: dict[str, tree.Option], context: Context, files: Files
) -> Sequence[Row] | None:
    try:
        known = sheet_names(path)
        sheet = _text(options.get("sheet"), known[0])
        if "sheet" not in options and len(known) > 1:
            context.report.add(messages.which_sheet(body, known))
            return None
        if sheet not in known:
            context.report.add(messages.unknown_sheet(options["sheet"], sheet, known))
            return None
        return xlsx_rows(path, files.shown(path), sheet)
    except ValueError:
        context.report.add(file_messages.not_a_workbook(body.path))
        return None


def _table(
    node: tree.Decision,
    body: tree.TableFrom,
    kind: Type,
    rows: Sequence[Row],
    dialect: Dialect,
    context: Context,
    files: Files,
) -> tree.Table | None:
    heads, lines = rows[0], rows[1:]
    before = len(context.report.found)
    if len(lines) > files.limits.table_rows:
        context.report.add(file_messages.too_many_rows(body.path.span, files.limits.table_rows))
        return None
    columns = _columns(node, body, kind, heads, dialect, context)
    if columns is not None:
        _check_cells(rows, len(heads), context)
    if columns is None or len(context.report.found) > before:
        return None
    inputs = [column for column in columns if column.role == "input"]
    outputs = [column for column in columns if column.role == "output"]
    found = tuple(
        tree.Row(
            _row_name(columns, line),
            tuple(input_cell(line[column.place], column, context, files.limits) for column in inputs),
            tuple(outcome(line[column.place], column, context, files.limits) for column in outputs),
            None,
            number,
            line[0].span,
        )
        for number, line in enumerate(lines, 1)
    )
    named = tuple(tree.Name(column.cell.text, True, column.cell.span) for column in outputs)
    return tree.Table(tuple(column.head for column in inputs), named, found, body.otherwise, body.span)


def _columns(
    node: tree.Decision,
    body: tree.TableFrom,
    kind: Type,
    heads: Row,
    dialect: Dialect,
    context: Context,
) -> list[Column] | None:
    """The columns in order, None after a message."""
    outputs = dict(kind.parts) if isinstance(kind, Record) else {node.name.name: kind}
    if not any(cell.text in outputs for cell in heads):
        context.report.add(messages.no_output_column(body.path, node.name.name, list(outputs), heads[0].text))
        return None
    found: list[Column] = []
    seen: dict[str, GridCell] = {}
    for place, cell in enumerate(heads):
        if cell.value is None:
            context.report.add(messages.empty_head(cell.span, cell.name))
        elif cell.text in seen:
            context.report.add(messages.head_twice(cell.span, cell.text, seen[cell.text].span))
        elif place == 0 and cell.text.lower() in NAMING:
            found.append(Column("name", place, cell, None, tree.Name(cell.text, True, cell.span), dialect.decimal))
        elif cell.text in outputs:
            name = tree.Name(cell.text, True, cell.span)
            found.append(Column("output", place, cell, outputs[cell.text], name, dialect.decimal))
        else:
            found.append(head_of(cell, place, dialect.decimal, context))
        seen.setdefault(cell.text, cell)
    return found


def _check_cells(rows: Sequence[Row], width: int, context: Context) -> None:
    told: set[str] = set()
    for number, line in enumerate(rows):
        merged = [cell for cell in line if cell.merged]
        for cell in merged:
            if cell.merged not in told:
                context.report.add(messages.merged_cell(cell.span, cell.name, cell.merged))
            told.add(cell.merged)
        if merged:
            continue
        if number and len(line) != width:
            context.report.add(messages.wrong_cell_count(line[0].span, len(line), width))


def _row_name(columns: Sequence[Column], line: Row) -> tree.Name | None:
    naming = next((column for column in columns if column.role == "name"), None)
    if naming is None:
        return None
    cell = line[naming.place]
    return tree.Name(cell.text, True, cell.span) if cell.value is not None else None
