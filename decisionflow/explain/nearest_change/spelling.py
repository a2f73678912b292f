"""With how many decimals an analyst wrote a number: one unit of the last of them passes an excluded end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from decisionflow.conditions.expression import Constant, Expression, walk
from decisionflow.program.declarations import Feature, Parameter

_NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\s*%?")
_LITERAL = re.compile(r"\s*=\s*(-?\d[^\s\[#\"]*)")
_DOMAIN = re.compile(r"\s*:\s*\w+\s*([\[(][^\])]*[\])]|[<>]=?\s*[^\s]+)")


def unit_of(spelling: str) -> float:
    """One unit of the last decimal of a number as it is written: 0.01 for `0.40` and `40%`, 1 for `4_000`."""
    text = spelling.strip().replace("_", "")
    mantissa, _, exponent = text.rstrip("% ").lower().partition("e")
    decimals = len(mantissa.partition(".")[2]) + 2 * text.endswith("%") - int(exponent or 0)
    return float(f"1e{-decimals}")


def number_of(spelling: str) -> float | None:
    """The number that a spelling stands for, None where it is none."""
    text = spelling.strip().replace("_", "")
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def constant_unit(constant: Constant, parameters: Mapping[str, Parameter]) -> float:
    """The unit of a number in a condition: as written there, or where its parameter was declared."""
    spelling = _spelling(constant, parameters)
    if spelling is not None and number_of(spelling) == constant.value:
        return unit_of(spelling)
    return value_unit(float(constant.value))


def value_unit(value: float) -> float:
    """The unit of the shortest decimal of a number that nobody wrote; whole numbers count in ones."""
    return 1.0 if value.is_integer() else unit_of(repr(value))


def condition_unit(condition: Expression, parameters: Mapping[str, Parameter]) -> float:
    """The finest unit of the numbers written in a condition; 1 where there are none."""
    return min((constant_unit(each, parameters) for each in _numbers(condition)), default=1.0)


def domain_units(feature: Feature) -> dict[float, float]:
    """The units of the ends of a feature's domain, as it was declared."""
    domain = feature.domain
    ends = [] if domain is None else [end for end in (domain.low, domain.high) if isinstance(end, int | float)]
    units = {float(end): value_unit(float(end)) for end in ends}
    found = None if feature.span is None else _DOMAIN.match(feature.span.source.text, feature.span.end)
    for spelling in _NUMBER.findall(found.group(1)) if found else ():
        number = number_of(spelling)
        if number in units:
            units[number] = unit_of(spelling)
    return units


def _numbers(condition: Expression) -> Iterator[Constant]:
    for node in walk(condition):
        if isinstance(node, Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
            yield node


def _spelling(constant: Constant, parameters: Mapping[str, Parameter]) -> str | None:
    if not constant.name:
        return None if constant.span is None else constant.span.text
    declared = parameters.get(constant.name)
    if declared is None or declared.span is None:
        return None
    found = _LITERAL.match(declared.span.source.text, declared.span.end)
    return found.group(1) if found else None
