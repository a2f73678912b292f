"""The types of the policy language, and what a model's column may be.

Values of each type, as Python writes them one at a time:

========== =====================================================
number     float, finite
integer    int of 64 bits
boolean    bool
text       str, NFC
vocabulary str, one of the labels, NFC
date       datetime.date
timestamp  datetime.datetime with its zone set to UTC
duration   datetime.timedelta
calendar   CalendarStep, months
record     dict from part to value
list       tuple of values
========== =====================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from decisionflow.frozen import frozen


@frozen
class Number:
    """A double-precision number."""

    def __str__(self) -> str:
        return "number"


@frozen
class Integer:
    """A whole number of 64 bits; it may stand for a number."""

    def __str__(self) -> str:
        return "integer"


@frozen
class Boolean:
    """True or false; conditions have this type too."""

    def __str__(self) -> str:
        return "boolean"


@frozen
class Text:
    """Free text; it has no order."""

    def __str__(self) -> str:
        return "text"


@frozen
class Date:
    """A day of the calendar."""

    def __str__(self) -> str:
        return "date"


@frozen
class Timestamp:
    """An instant."""

    def __str__(self) -> str:
        return "timestamp"


@frozen
class Duration:
    """A length of time; a day is 24 hours."""

    def __str__(self) -> str:
        return "duration"


@frozen
class Calendar:
    """A step of whole months on the calendar, compared with nothing."""

    def __str__(self) -> str:
        return "calendar step"


@frozen
class Vocabulary:
    """A closed set of labels, in the order of declaration; `ordered` ones may be compared with `<`."""

    labels: tuple[str, ...]
    ordered: bool = False

    def __str__(self) -> str:
        return ("ordered " if self.ordered else "") + "{ " + ", ".join(self.labels) + " }"


@frozen
class Record:
    """Named parts, each with its own type."""

    parts: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return "( " + ", ".join(f"{name} : {part}" for name, part in self.parts) + " )"


@frozen
class ListOf:
    """What a decision that collects holds: values of one type, in the order of the rules."""

    item: Type

    def __str__(self) -> str:
        return f"list of {self.item}"


Type = Number | Integer | Boolean | Text | Date | Timestamp | Duration | Calendar | Vocabulary | Record | ListOf

NUMBER, INTEGER, BOOLEAN, TEXT = Number(), Integer(), Boolean(), Text()
DATE, TIMESTAMP, DURATION, CALENDAR = Date(), Timestamp(), Duration(), Calendar()


@dataclass(frozen=True, slots=True, order=True)
class CalendarStep:
    """A value of type calendar: months, years being twelve."""

    months: int

    def __str__(self) -> str:
        years, rest = divmod(self.months, 12)
        amount, unit = (years, "year") if rest == 0 and years else (self.months, "month")
        return f"{amount} {unit}" + ("" if abs(amount) == 1 else "s")


@frozen
class ModelOutput:
    """Which column of a model the policy reads.

    `probability` is a number in [0, 1] and `score` an unbounded number, both oriented towards `label`; `label` is the
    predicted class, read as a label of the declared vocabulary; `number` is a regression.
    """

    kind: Literal["probability", "score", "label", "number"]
    label: str | int | float | bool | None = None

    def __str__(self) -> str:
        return self.kind if self.label is None else f"{self.kind} of {self.label}"
