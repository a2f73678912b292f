"""A CSV file as blocks of whole records, in UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from decisionflow.errors import DataError
from decisionflow.tables.files.csv_sniffing import not_utf8
from decisionflow.tables.files.dialect import Dialect

BYTES_OF_BLOCK = 4 * 2**20
LONGEST_RECORD = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records, and the line of the file on which they begin, from 1."""

    text: bytes
    first_line: int

    @property
    def lines(self) -> int:
        return count_lines(self.text)


def blocks(stream: IO[bytes], dialect: Dialect, name: str, size: int | None = None) -> Iterator[Block]:
    """The file from its beginning, cut where a record ends; the byte order mark is left out.

    Raises DataError for bytes that are not of the encoding, for NUL bytes, and for a record above 64 MiB.
    """
    records = _whole_records(dialect.separator)
    line, rest, block = 1, b"", Block(b"", 1)
    for piece in _decoded(stream, dialect, name, size or BYTES_OF_BLOCK):
        rest += piece
        end = _last_end(rest, records)
        if end:
            if block.text:
                yield block
            block = Block(rest[:end], line)
            line += block.lines
            rest = rest[end:]
        elif len(rest) > LONGEST_RECORD:
            raise DataError(f"{name}, line {line}: a record longer than 64 MiB; is a quotation mark left open?")
    if b'"' in rest and records.match(rest + b"\n").end() <= len(rest):  # type: ignore[union-attr]
        raise DataError(f"{name}, line {line}: a quotation mark is opened and never closed")
    if block.text or rest:
        yield Block(block.text + rest, block.first_line)


def count_lines(text: bytes) -> int:
    """Line ends of any kind."""
    carriage_returns = text.count(b"\r")
    return text.count(b"\n") + (carriage_returns - text.count(b"\r\n") if carriage_returns else 0)


def _may_have_blank_lines(text: bytes) -> bool:
    return text[:1] in (b"\n", b"\r") or any(ends in text for ends in (b"\n\n", b"\n\r", b"\r\r"))


def first_record(text: bytes, separator: str) -> int:
    """Where the first record ends; the length of the text where it has no end."""
    match = _one_record(separator).match(text)
    return match.end() if match else len(text)


def without_blank_lines(block: Block, separator: str) -> tuple[bytes, NDArray[np.int64] | None]:
    """The records that are no blank lines, and the line on which each begins; None where no line is blank."""
    if not _may_have_blank_lines(block.text):
        return block.text, None
    kept, lines, line, end = [], [], block.first_line, 0
    for match in _one_record(separator).finditer(block.text):
        record, end = match.group(), match.end()
        if record.strip(b"\r\n"):
            kept.append(record)
            lines.append(line)
        line += count_lines(record)
    if end < len(block.text):
        kept.append(block.text[end:])
        lines.append(line)
    return b"".join(kept), np.array(lines, np.int64)


_FIELD = r'(?:"(?:[^"]++|"")*+"[^{mark}\r\n]*+|(?!")[^{mark}\r\n]++|)'
_RECORD = rf"(?:{_FIELD}{{mark}})*+{_FIELD}(?:\r\n|\n|\r)"


def _one_record(separator: str) -> re.Pattern[bytes]:
    return re.compile(_RECORD.format(mark=re.escape(separator)).encode())


def _whole_records(separator: str) -> re.Pattern[bytes]:
    return re.compile(rf"(?:{_RECORD.format(mark=re.escape(separator))})*+".encode())


def _last_end(text: bytes, records: re.Pattern[bytes]) -> int:
    """Where the last whole record ends; a last carriage return may be half a line end and is left."""
    until = len(text) - text.endswith(b"\r")
    if b'"' in text:
        match = records.match(text, 0, until)
        return match.end() if match else 0
    return max(text.rfind(b"\n", 0, until), text.rfind(b"\r", 0, until)) + 1


def _decoded(stream: IO[bytes], dialect: Dialect, name: str, size: int) -> Iterator[bytes]:
    """The file in UTF-8."""
    pieces = (
        _checked_utf8(stream, name, size)
        if dialect.codec in ("utf-8", "utf-8-sig")
        else _recoded(stream, dialect, name, size)
    )
    for number, piece in enumerate(pieces):
        yield piece.removeprefix(codecs.BOM_UTF8) if number == 0 else piece


def _checked_utf8(stream: IO[bytes], name: str, size: int) -> Iterator[bytes]:
    line, rest = 1, b""
    while piece := stream.read(size):
        text = rest + piece
        try:
            _, used = codecs.utf_8_decode(text, "strict", False)
        except UnicodeDecodeError as error:
            raise not_utf8(text, error.start, line, name) from None
        _refuse_nul(text, line, name)
        line += count_lines(text[:used])
        rest = text[used:]
        yield text[:used]
    if rest:
        raise not_utf8(rest, 0, line, name)


def _recoded(stream: IO[bytes], dialect: Dialect, name: str, size: int) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(dialect.codec)()
    line = 1
    final = False
    while not final:
        piece = stream.read(size)
        final = not piece
        try:
            text = decoder.decode(piece, final).encode()
        except UnicodeError as error:
            raise DataError(f"{name}, after line {line}: not written in {dialect.encoding}: {error}") from None
        _refuse_nul(text, line, name)
        line += count_lines(text)
        yield text


def _refuse_nul(text: bytes, first_line: int, name: str) -> None:
    place = text.find(b"\0")
    if place >= 0:
        line = first_line + count_lines(text[:place])
        raise DataError(f"{name}, line {line}: a NUL byte; is it a binary file, or does --encoding say something else?")
