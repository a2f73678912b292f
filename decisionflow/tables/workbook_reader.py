"""Excel workbooks, read with the standard library alone, so that a check of a policy loads nothing else.

Source: ECMA-376, part 1, SpreadsheetML: cells (18.3.1.4), shared strings (18.4), number formats (18.8.30), dates
(18.17.4). Formulas count as last calculated; a percent-formatted number is its ratio, an error such as #N/A its text.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import IO, Any, Literal
from xml.etree.ElementTree import Element, ParseError, fromstring, iterparse

Meaning = Literal["value", "moment", "length"]
"""What a number format makes of a number: itself, a date or time of day, a length of time."""


@dataclass(frozen=True)
class Workbook:
    """An open workbook: its worksheets by name, and what cells refer to."""

    archive: zipfile.ZipFile
    sheets: Mapping[str, str]
    texts: Sequence[str]
    meanings: Sequence[Meaning]
    epoch: datetime

    def rows(self, sheet: str) -> Iterator[tuple[int, dict[int, Any]]]:
        """The rows that the sheet holds, with their number, and in each the cells with a value by column, from 1.

        Values are int, float, bool, str, datetime, date, time and timedelta. Raises ValueError for a damaged sheet.
        """
        row = 0
        with _faults_as_value_errors(), self.archive.open(self.sheets[sheet]) as stream:
            for _, element in iterparse(stream):  # noqa: S314
                if _local_name(element) != "row":
                    continue
                row = int(element.get("r") or row + 1)
                yield row, self._cells(element)
                element.clear()

    def merged(self, sheet: str) -> list[str]:
        """The ranges of merged cells, such as `A2:A3`; raises ValueError for a damaged sheet."""
        with _faults_as_value_errors(), self.archive.open(self.sheets[sheet]) as stream:
            found = []
            for _, element in iterparse(stream):  # noqa: S314
                match _local_name(element):
                    case "mergeCell":
                        found.append(element.attrib["ref"])
                    case "row":
                        element.clear()
            return found

    def _cells(self, row: Element) -> dict[int, Any]:
        found, column = {}, 0
        for cell in row.iterfind("{*}c"):
            name = cell.get("r")
            column = cell_place(name)[1] if name else column + 1
            value = self._value(cell)
            if value is not None:
                found[column] = value
        return found

    def _value(self, cell: Element) -> Any:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            inline = cell.find("{*}is")
            return None if inline is None else _text_of(inline)
        written = cell.findtext("{*}v")
        if not written:
            return None
        match kind:
            case "n":
                return self._number(written, self.meanings[int(cell.get("s", 0))])
            case "s":
                return self.texts[int(written)]
            case "b":
                return bool(int(written))
            case "d":
                return _moment(written)
        return written

    def _number(self, written: str, meaning: Meaning) -> Any:
        value = float(written) if set(written) & set(".eE") else int(written)
        if meaning == "value":
            return value
        try:
            length = timedelta(milliseconds=round(value * 86_400_000))
            if meaning == "length":
                return length
            return (datetime.min + length).time() if 0 <= value < 1 else self.epoch + self._real_days(length)
        except OverflowError:
            return value

    def _real_days(self, length: timedelta) -> timedelta:
        """Excel counts a 29 February 1900, which was none."""
        before = self.epoch == _EPOCH and length < timedelta(60)
        return length + timedelta(1) if before else length


_EPOCH, _EPOCH_OF_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
_MOMENTS = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}
_LENGTH = 46
_NO_LETTERS = re.compile(r'"[^"]*"|\\.|[_*].|\[(?!(?:h+|m+|s+)\])[^\]]*\]', re.IGNORECASE)
_CELL = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")


@contextmanager
def open_workbook(file: Path | IO[bytes], largest: int) -> Iterator[Workbook]:
    """The workbook in a file; raises ValueError where it is none or damaged, TooLarge above `largest` bytes unpacked.

    A workbook is untrusted: a small archive may hold a huge one. What XML entities unfold to, expat itself bounds.
    """
    with _faults_as_value_errors():
        archive = zipfile.ZipFile(file)
    with archive:
        with _faults_as_value_errors():
            size = sum(part.file_size for part in archive.infolist())
            if size > largest:
                raise TooLarge(f"{size / 2**30:.1f} GiB when unpacked")
            found = _workbook(archive)
        yield found


class TooLarge(ValueError):
    """A workbook with too many bytes; the message says how many."""


def cell_place(name: str) -> tuple[int, int]:
    """Row and column of a cell named as spreadsheets name it, both from 1; raises ValueError for no such name."""
    found = _CELL.fullmatch(name)
    if found is None:
        raise ValueError(f"{name} names no cell")
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found[2]), column


@contextmanager
def _faults_as_value_errors() -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, EOFError, ParseError, KeyError, IndexError) as fault:
        raise ValueError(str(fault) or type(fault).__name__) from fault
    except (NotImplementedError, RuntimeError) as fault:
        # What zipfile raises for a password and for a compression that it lacks.
        raise ValueError(str(fault)) from fault


def _workbook(archive: zipfile.ZipFile) -> Workbook:
    main = _parts(archive, "", "officeDocument")[0][1]
    book = fromstring(archive.read(main))  # noqa: S314
    parts = dict(_parts(archive, main, "worksheet"))
    sheets = {sheet.attrib["name"]: parts.get(_relation(sheet), "") for sheet in book.iterfind("{*}sheets/{*}sheet")}
    sheets = {name: part for name, part in sheets.items() if part}
    if not sheets:
        raise ValueError("the workbook has no worksheet")
    settings = book.find("{*}workbookPr")
    from_1904 = settings is not None and settings.get("date1904", "0") in ("1", "true")
    texts = _read_part(archive, main, "sharedStrings", _texts)
    meanings = _read_part(archive, main, "styles", _meanings)
    return Workbook(archive, sheets, texts, meanings or ("value",), _EPOCH_OF_1904 if from_1904 else _EPOCH)


def _parts(archive: zipfile.ZipFile, source: str, kind: str) -> list[tuple[str, str]]:
    """What a part refers to, of one kind: the reference and the part it means."""
    folder, name = posixpath.split(source)
    relations = fromstring(archive.read(posixpath.join(folder, "_rels", f"{name}.rels")))  # noqa: S314
    return [
        (item.attrib["Id"], posixpath.normpath(posixpath.join("/", folder, item.attrib["Target"])).lstrip("/"))
        for item in relations
        if item.get("Type", "").endswith(f"/{kind}")
    ]


def _read_part(
    archive: zipfile.ZipFile, main: str, kind: str, read: Callable[[Element], Sequence[Any]]
) -> Sequence[Any]:
    """What the workbook's one part of a kind holds; nothing where it has none."""
    return next((read(fromstring(archive.read(part))) for _, part in _parts(archive, main, kind)), ())  # noqa: S314


def _relation(sheet: Element) -> str:
    return next((value for key, value in sheet.attrib.items() if key.endswith("}id")), "")


def _local_name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _texts(part: Element) -> list[str]:
    return [_text_of(item) for item in part.iterfind("{*}si")]


def _text_of(item: Element) -> str:
    """Plain text, or the runs of a rich one; how it is pronounced is left out."""
    pieces = [*item.iterfind("{*}t"), *item.iterfind("{*}r/{*}t")]
    return "".join(piece.text or "" for piece in pieces)


def _meanings(part: Element) -> list[Meaning]:
    """What each cell style makes of a number."""
    codes = {item.attrib["numFmtId"]: item.attrib["formatCode"] for item in part.iterfind("{*}numFmts/{*}numFmt")}
    return [_meaning(item.get("numFmtId", "0"), codes) for item in part.iterfind("{*}cellXfs/{*}xf")]


def _meaning(number: str, codes: Mapping[str, str]) -> Meaning:
    if number not in codes:
        return "length" if int(number) == _LENGTH else "moment" if int(number) in _MOMENTS else "value"
    letters = _NO_LETTERS.sub("", codes[number]).split(";")[0].lower()
    if "[" in letters:
        return "length"
    return "moment" if set(letters) & set("dmhys") else "value"


def _moment(written: str) -> date | time:
    """A moment in ISO 8601, as a strict workbook writes it."""
    if "T" in written and not written.startswith("T"):
        return datetime.fromisoformat(written).replace(tzinfo=None)
    return date.fromisoformat(written) if "-" in written else time.fromisoformat(written.lstrip("T").rstrip("Z"))
