"""Does a file look like the dialect that is asked for? If not, which options to give (DataError)."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence

from decisionflow.errors import DataError
from decisionflow.tables.files.dialect import Dialect

_OTHER_DELIMITERS = {";": '";"', "\t": "tab", "|": '"|"'}
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_CONTAINERS = {
    b"PK\x03\x04": "an XLSX workbook or another ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook (.xls): save it as XLSX or CSV",
    b"PAR1": "a Parquet file",
    b"ARROW1": "a Feather file",
    b"\x1f\x8b": "compressed with gzip: unpack it first",
    b"\x28\xb5\x2f\xfd": "compressed with zstd: unpack it first",
    b"BZh": "compressed with bzip2: unpack it first",
    b"%PDF": "a PDF document",
}
_PLAIN = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?%?")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:[0-9]{1,3}(?:[. ’'][0-9]{3})+|[0-9]+),[0-9]+\s*%?")
_THOUSANDS_COMMA = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
MOST_ROWS = 200


def check_bytes(beginning: bytes, name: str, dialect: Dialect) -> None:
    """Refuse an empty file, another format, another encoding."""
    if not beginning:
        raise DataError(f"{name} is empty: it needs a header and, below it, rows")
    for magic, what in _CONTAINERS.items():
        if beginning.startswith(magic):
            raise DataError(f"{name} is no CSV file: it looks like {what}")
    if dialect.encoding is None:
        _check_utf8(beginning, name)


def _check_utf8(beginning: bytes, name: str) -> None:
    marked = next((encoding for mark, encoding in _MARKS.items() if beginning.startswith(mark)), "utf-8")
    if marked != "utf-8":
        raise DataError(f"{name} is written in {marked.upper()}: give --encoding {marked}")
    if b"\0" in beginning:
        guess = _utf16_guess(beginning)
        raise DataError(f"{name} holds NUL bytes: " + (f"give --encoding {guess}" if guess else "it is a binary file"))
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError as error:
        raise not_utf8(beginning, error.start, 1, name) from None


def not_utf8(block: bytes, place: int, first_line: int, name: str) -> DataError:
    """The error that a block of bytes, whose first line has a number, is not UTF-8."""
    line = first_line + block.count(b"\n", 0, place)
    byte = f"0x{block[place]:02x}"
    return DataError(f"{name}, line {line}: the byte {byte} is not UTF-8; give --encoding, such as cp1252 or latin-1")


def _utf16_guess(beginning: bytes) -> str | None:
    """UTF-16 without a mark has nearly every other byte NUL in Western texts."""
    half = len(beginning) // 2 or 1
    odd, even = beginning[1::2].count(0), beginning[::2].count(0)
    if odd > 0.8 * half and even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.8 * half and odd < 0.1 * half else None


def check_dialect(text: str, name: str, dialect: Dialect) -> None:
    """Refuse a text, the beginning of a file, that looks like another delimiter or decimal mark than assumed."""
    lines = [line for line in text.splitlines()[:MOST_ROWS] if line.strip()]
    if not lines:
        return
    delimiter = dialect.separator if dialect.delimiter is not None else _likely_delimiter(lines)
    options = [] if delimiter == dialect.separator else [f"--delimiter {_OTHER_DELIMITERS[delimiter]}"]
    if dialect.decimal is None and dialect.thousands is None:
        options += _number_options(lines, delimiter)
    if options:
        raise DataError(
            f"{name} looks like another dialect of CSV than comma, point and UTF-8: give {' '.join(options)}"
            + (" (or --delimiter , and --decimal . if it is not)" if options else "")
        )


def _likely_delimiter(lines: Sequence[str]) -> str:
    """A comma, unless the header has none and another delimiter stands there and in most lines below."""
    header = lines[0]
    if "," in _outside_quotes(header):
        return ","
    counts = Counter({mark: _outside_quotes(header).count(mark) for mark in _OTHER_DELIMITERS})
    mark, count = counts.most_common(1)[0]
    below = [_outside_quotes(line).count(mark) for line in lines[1:]]
    agreeing = sum(found == count for found in below)
    return mark if count and 2 * agreeing >= len(below) else ","


def _outside_quotes(line: str) -> str:
    return re.sub(r'"[^"]*"?', "", line)


def _number_options(lines: Sequence[str], delimiter: str) -> list[str]:
    """The options for the first column in which every cell is a number, some with a comma in them."""
    rows = list(csv.reader(lines[1:], delimiter=delimiter))
    for column in zip(*(row for row in rows if len(row) == len(rows[0])), strict=True) if rows else ():
        cells = [cell.strip() for cell in column if cell.strip()]
        options = _column_options(cells, delimiter)
        if options:
            return options
    return []


def _column_options(cells: Sequence[str], delimiter: str) -> list[str]:
    with_comma = [cell for cell in cells if "," in cell]
    plain = [cell for cell in cells if "," not in cell]
    if not with_comma:
        return []
    is_english = delimiter == "," or any("." in cell for cell in cells if _THOUSANDS_COMMA.fullmatch(cell))
    if is_english and all(map(_THOUSANDS_COMMA.fullmatch, with_comma)) and all(map(_PLAIN.fullmatch, plain)):
        return ['--thousands ","']
    if all(map(_DECIMAL_COMMA.fullmatch, with_comma)) and all(re.fullmatch(r"[+-]?[0-9.]+\s*%?", c) for c in plain):
        grouped = any("." in cell for cell in cells)
        return ['--decimal ","'] + (['--thousands "."'] if grouped else [])
    return []
