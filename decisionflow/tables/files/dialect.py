"""How a CSV file is written, as far as the user says so."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from decisionflow.errors import DataError
from decisionflow.tables.notation import Notation

_NAMED = {"\\t": "\t", "tab": "\t", "space": " "}


@dataclass(frozen=True, slots=True)
class Dialect:
    """Delimiter, decimal mark, mark between thousands and encoding; what is None is the default and is checked.

    The defaults are a comma, a point, no mark and UTF-8, with or without a byte order mark. Raises DataError for a
    mark that is not one character, two marks that are the same, or an encoding that does not exist.
    """

    delimiter: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if len(self.separator) != 1 or not self.separator.isascii() or self.separator in '"\r\n':
            raise DataError(f"--delimiter is {self.delimiter!r}: give one character, such as ';' or 'tab'")
        if self.decimal is not None and self.decimal not in {".", ","}:
            raise DataError(f"--decimal is {self.decimal!r}: give '.' or ','")
        if self.thousands is not None and (len(self.thousands) != 1 or self.thousands.isalnum()):
            raise DataError(f"--thousands is {self.thousands!r}: give one character, such as '.' or ' '")
        if self.thousands == self.notation.decimal:
            raise DataError(f"--thousands and --decimal are both {self.thousands!r}: give --decimal too")
        _check_encoding(self.encoding)

    @property
    def separator(self) -> str:
        """The delimiter between cells."""
        return "," if self.delimiter is None else _NAMED.get(self.delimiter, self.delimiter)

    @property
    def notation(self) -> Notation:
        """How numbers are written."""
        return Notation(self.decimal or ".", self.thousands or "")

    @property
    def codec(self) -> str:
        """The encoding's name in Python."""
        return codecs.lookup(self.encoding or "utf-8").name


def _check_encoding(encoding: str | None) -> None:
    if encoding is None:
        return
    try:
        is_text = codecs.lookup(encoding)._is_text_encoding
    except LookupError:
        is_text = False
    if not is_text:
        raise DataError(f"--encoding is {encoding!r}, which is not known: utf-8, utf-16, cp1252 and latin-1 are common")


DEFAULT_DIALECT = Dialect()
