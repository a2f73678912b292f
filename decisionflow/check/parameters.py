"""Parameters: business constants and sets, as written or set anew."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

from decisionflow.check.conform import common_type
from decisionflow.check.constants import constant
from decisionflow.check.declared_types import domain_of
from decisionflow.check.messages import declarations as messages
from decisionflow.check.messages import names as name_messages
from decisionflow.check.scope import Context
from decisionflow.conditions.expression import Constant
from decisionflow.conditions.values import INTEGER_HIGH, INTEGER_LOW, Value
from decisionflow.program.declarations import Parameter
from decisionflow.syntax import tree
from decisionflow.types import BOOLEAN, DATE, DURATION, INTEGER, NUMBER, TEXT, TIMESTAMP, Type

_NUMBER = re.compile(
    r"(?P<digits>[+-]?[0-9]+)(?P<rest>\.[0-9]+([eE][+-]?[0-9]{1,3})?|[eE][+-]?[0-9]{1,3})?\s*(?P<share>%)?"
)


def checked_parameter(node: tree.Parameter, context: Context, anew: Mapping[str, Any]) -> Parameter | None:
    """The parameter, its value set anew where `anew` names it; None after a message."""
    written = _set(node, node.value, context) if isinstance(node.value, tree.Set) else _single(node, context)
    if written is None:
        return None
    widened = _as_number(written) if _has_broken_end(node) else written
    parameter = replace(widened, domain=domain_of(node.domain, widened.type, context))
    if not _inside(parameter):
        context.report.add(messages.parameter_outside(node, parameter))
        return None
    return _set_anew(parameter, anew[parameter.name], context) if parameter.name in anew else parameter


def check_set_parameters(anew: Mapping[str, Any], context: Context) -> None:
    """A message for every parameter set anew that is not declared."""
    known = [name for name, declared in context.scope.declared.items() if declared.kind == "parameter"]
    for name in anew:
        if name not in known:
            context.report.add(name_messages.unknown_parameter(name, known))


def _single(node: tree.Parameter, context: Context) -> Parameter | None:
    found = _literal(node.value, context) if not isinstance(node.value, tree.Set) else None
    return None if found is None else _parameter(node, found.value, found.type, False)


def _set(node: tree.Parameter, members: tree.Set, context: Context) -> Parameter | None:
    found = [_literal(member, context) for member in members.members]
    known = [member for member in found if member is not None]
    if len(known) < len(found):
        return None
    kind = known[0].type
    for written, member in zip(members.members, known, strict=True):
        common = common_type(kind, member.type)
        if common is None:
            context.report.add(messages.set_of_unlike(written, member.type, kind))
            return None
        kind = common
    return _parameter(node, tuple(_of_type(member.value, kind) for member in known), kind, True)


def _parameter(node: tree.Parameter, value: Value, kind: Type, is_set: bool) -> Parameter:
    return Parameter(node.name.name, value, kind, is_set, None, node.description, node.name.span)


def _literal(node: tree.Expression, context: Context) -> Constant | None:
    """A literal; a bare word is a text that may stand for a label."""
    if isinstance(node, tree.Name) and not node.backquoted:
        declared = context.scope.declared.get(node.name)
        if declared is None:
            return Constant(node.name, TEXT, span=node.span)
        context.report.add(messages.name_in_parameter(node, declared))
        return None
    return constant(node, context)


def _has_broken_end(node: tree.Parameter) -> bool:
    """Whether the domain is one of numbers, not of integers, so that the parameter is a number too."""
    ends: tuple[tree.Expression, ...] = ()
    if isinstance(node.domain, tree.HalfDomain):
        ends = (node.domain.bound,)
    elif node.domain is not None:
        ends = (node.domain.low.value, node.domain.high.value)
    literals = [end.operand if isinstance(end, tree.Negative) else end for end in ends]
    return any(isinstance(end, tree.Number) and isinstance(end.value, float) for end in literals)


def _as_number(parameter: Parameter) -> Parameter:
    if parameter.type != INTEGER:
        return parameter
    value = parameter.value
    widened = tuple(map(float, value)) if parameter.is_set else float(value)
    return replace(parameter, type=NUMBER, value=widened)


def _of_type(value: Value, kind: Type) -> Value:
    return float(value) if kind == NUMBER else value


def _inside(parameter: Parameter) -> bool:
    values = parameter.value if parameter.is_set else (parameter.value,)
    return parameter.domain is None or all(map(parameter.domain.contains, values))


def _set_anew(parameter: Parameter, given: Any, context: Context) -> Parameter | None:
    several = _members(given) if parameter.is_set else given
    if parameter.is_set != _is_several(several):
        context.report.add(messages.parameter_set_wrongly(parameter, given))
        return None
    members = tuple(several) if parameter.is_set else (several,)
    values = [as_value(member, parameter.type) for member in members]
    if not values or any(value is None for value in values):
        context.report.add(messages.parameter_set_wrongly(parameter, given))
        return None
    found = replace(parameter, value=tuple(values) if parameter.is_set else values[0])
    if not _inside(found):
        context.report.add(messages.parameter_set_outside(parameter, given))
        return None
    return found


def _members(given: Any) -> Any:
    """The members of a set, which may be written as one text: `{ 1, 2 }`."""
    if not (isinstance(given, str) and given.strip().startswith("{") and given.strip().endswith("}")):
        return given
    return [member.strip().strip('"') for member in given.strip()[1:-1].split(",")]


def _is_several(given: Any) -> bool:
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)


def as_value(given: Any, kind: Type) -> Value:
    """A Python value, or a text written like a literal, as a value of the type; None where it is none."""
    if isinstance(given, str) and kind != TEXT:
        return _read(given.strip(), kind)
    return _CONVERTED[kind](given) if kind in _CONVERTED else None


def _read(text: str, kind: Type) -> Value:
    try:
        if kind == BOOLEAN:
            return {"true": True, "false": False}.get(text.lower())
        if kind == DATE:
            return date.fromisoformat(text)
        if kind == TIMESTAMP:
            return _instant(datetime.fromisoformat(text))
    except ValueError:
        return None
    found = _NUMBER.fullmatch(text) if kind in (NUMBER, INTEGER) else None
    if found is None:
        return None
    whole = found["rest"] is None and found["share"] is None
    number = Decimal(found["digits"] + (found["rest"] or "")).scaleb(-2 if found["share"] else 0)
    return as_value(int(number) if whole else float(number), kind)


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not hasattr(given, "__float__"):
        return None
    return float(given) if math.isfinite(given) else None


def _integer(given: Any) -> int | None:
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        return None
    return int(given) if INTEGER_LOW <= given <= INTEGER_HIGH else None


def _instant(given: Any) -> datetime | None:
    return given.astimezone(UTC) if isinstance(given, datetime) and given.tzinfo is not None else None


def _date(given: Any) -> date | None:
    return given if isinstance(given, date) and not isinstance(given, datetime) else None


_CONVERTED: dict[Type, Any] = {
    NUMBER: _number,
    INTEGER: _integer,
    BOOLEAN: lambda given: given if isinstance(given, bool) else None,
    TEXT: lambda given: unicodedata.normalize("NFC", given) if isinstance(given, str) else None,
    DATE: _date,
    TIMESTAMP: _instant,
    DURATION: lambda given: given if isinstance(given, timedelta) else None,
}
