"""Four truth values: true, false, unknown (MISSING) and error (a Failure).

The order of the parts never matters: `and` is false if any part is false, else error if any is, else unknown if any is,
else true; `or` likewise from true; a count is decided as soon as the known parts decide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from decisionflow.conditions.values import MISSING, Failure, Missing

Truth = bool | Missing | Failure
Quantifier = Literal["at least", "at most", "exactly"]


def negation(part: Truth) -> Truth:
    """`not`: unknown and error stay what they are."""
    return not part if isinstance(part, bool) else part


def conjunction(parts: Iterable[Truth]) -> Truth:
    """`and` of any number of parts."""
    return _weakest(parts, False)


def disjunction(parts: Iterable[Truth]) -> Truth:
    """`or` of any number of parts."""
    return _weakest(parts, True)


def counting(quantifier: Quantifier, number: int, parts: Sequence[Truth]) -> Truth:
    """`at least`, `at most` or `exactly` so many of the parts hold."""
    certain = sum(part is True for part in parts)
    possible = len(parts) - sum(part is False for part in parts)
    if quantifier == "at least":
        decided = True if certain >= number else False if possible < number else None
    elif quantifier == "at most":
        decided = True if possible <= number else False if certain > number else None
    else:
        decided = None if certain <= number <= possible and certain != possible else certain == number == possible
    return decided if decided is not None else _doubt(parts)


def _weakest(parts: Iterable[Truth], decisive: bool) -> Truth:
    seen = list(parts)
    return decisive if any(part is decisive for part in seen) else _doubt(seen, not decisive)


def _doubt(parts: Iterable[Truth], otherwise: bool = True) -> Truth:
    unknown = False
    for part in parts:
        if isinstance(part, Failure):
            return part
        unknown = unknown or part is MISSING
    return MISSING if unknown else otherwise
