"""Numbers as text: a sign, ASCII digits, a point, an exponent, perhaps `%`, blanks around ignored (law 2)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

LONGEST_NUMBER = 1_000


@dataclass(frozen=True)
class Notation:
    """The decimal mark, and the mark between thousands where there is one.

    Digits may stand on one side of the decimal mark only (`.5`, `5.`). Thousands are groups of three digits.
    """

    decimal: str = "."
    thousands: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """A number without blanks around it: groups `number`, `exponent`, `percent`."""
        whole = "[0-9]+"
        if self.thousands:
            whole = f"(?:[0-9]{{1,3}}(?:{re.escape(self.thousands)}[0-9]{{3}})+|[0-9]+)"
        mark = re.escape(self.decimal)
        return re.compile(
            rf"(?P<number>[+-]?(?:{whole}(?:{mark}[0-9]*)?|{mark}[0-9]+))(?:[eE](?P<exponent>[+-]?[0-9]+))?"
            r"(?P<percent>\s*%)?"
        )

    @cached_property
    def plain_pattern(self) -> str:
        """What array engines read exactly once the marks are Python's: no `+`, no lone decimal mark, no `%`."""
        whole = "[0-9]{1,40}"
        if self.thousands:
            whole = rf"(?:[0-9]{{1,3}}(?:{_literal(self.thousands)}[0-9]{{3}}){{1,12}}|{whole})"
        return rf"^-?{whole}({_literal(self.decimal)}[0-9]{{1,40}})?([eE][+-]?[0-9]{{1,2}})?$"

    @property
    def is_plain(self) -> bool:
        """Whether numbers are written as in Python: a point, no thousands."""
        return self.decimal == "." and not self.thousands

    def read(self, text: str) -> str | None:
        """The text of a number in Python's notation, None where the text is no number; `%` becomes an exponent."""
        trimmed = text.strip()
        match = self.pattern.fullmatch(trimmed) if len(trimmed) <= LONGEST_NUMBER else None
        if match is None:
            return None
        number = match["number"]
        if self.thousands:
            number = number.replace(self.thousands, "")
        number = number.replace(self.decimal, ".")
        exponent = _exponent(match["exponent"]) - (2 if match["percent"] else 0)
        return f"{number}e{exponent}" if exponent else number


POINT = Notation()


def exact_integer(number: str) -> int | None:
    """The integer that a number in Python's notation is, None where it has a broken part; 10^21 where it is larger."""
    decimal = Decimal(number)
    if decimal.is_zero():
        return 0
    if decimal.adjusted() > 20:
        return 10**21 if decimal > 0 else -(10**21)
    if decimal.adjusted() < 0:
        return None
    return int(decimal) if decimal == decimal.to_integral_value() else None


def _literal(mark: str) -> str:
    """A mark as a regular expression of any engine."""
    return f"[{mark}]" if mark in ".,' " else re.escape(mark)


def _exponent(text: str | None) -> int:
    """An exponent as an int; beyond a million it only matters that it is large."""
    if text is None:
        return 0
    digits = text.lstrip("+-").lstrip("0")
    size = int(digits or 0) if len(digits) <= 6 else 1_000_000
    return -size if text.startswith("-") else size
