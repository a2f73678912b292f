"""Frozen values that load quickly.

`dataclass(frozen=True, slots=True)` writes and compiles seven methods for each class, of which a run calls few: for the
hundred and fifty classes behind `decisionflow check` that is a quarter of its time. Here the methods are written once,
and a class gets a constructor of its own when its first value is made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Kind = TypeVar("Kind")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[Kind]) -> type[Kind]:
    """A class as `dataclass(frozen=True, slots=True)` makes it; methods that it has itself are kept."""
    for name, method in _METHODS:
        if name not in vars(kind):
            setattr(kind, name, method)
    return dataclass(init=False, repr=False, eq=False, slots=True)(kind)


def _init(self: Any, *given: Any, **named: Any) -> None:
    """Stands for the constructor until the first value is made."""
    kind = type(self)
    kind.__init__ = _constructor(kind)
    kind.__init__(self, *given, **named)


def _eq(self: Any, other: object) -> Any:
    if type(self) is not type(other):
        return NotImplemented
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = (f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _setattr(self: Any, name: str, value: object) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in fields(self)]


def _setstate(self: Any, values: list[Any]) -> None:
    for item, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, item.name, value)


_METHODS: tuple[tuple[str, Callable[..., Any]], ...] = (
    ("__init__", _init),
    ("__eq__", _eq),
    ("__hash__", _hash),
    ("__repr__", _repr),
    ("__setattr__", _setattr),
    ("__delattr__", _delattr),
    ("__getstate__", _getstate),
    ("__setstate__", _setstate),
)


def _values(self: Any) -> Any:
    kind: Any = type(self)
    return _compared(kind)(self)


@cache
def _compared(kind: type[Any]) -> Callable[[Any], Any]:
    """A function from a value to those of its fields that make it equal to another."""
    names = [item.name for item in fields(kind) if item.compare]
    return attrgetter(*names) if names else lambda _: ()


def _constructor(kind: type[Any]) -> Callable[..., None]:
    """`__init__(self, field, field=default, …)`, setting each slot directly; `field(init=False)` is left to others."""
    known: dict[str, Any] = {"_absent": MISSING}
    lines = []
    given = [item for item in fields(kind) if item.init]
    for item in given:
        known[f"_set_{item.name}"] = getattr(kind, item.name).__set__
        known[f"_default_{item.name}"] = item.default
        known[f"_make_{item.name}"] = item.default_factory
        lines.append(f"    _set_{item.name}(self, {_value(item)})")
    if hasattr(kind, "__post_init__"):
        lines.append("    self.__post_init__()")
    parameters = ", ".join(["self", *map(_parameter, given)])
    written: dict[str, Callable[..., None]] = {}
    exec(f"def __init__({parameters}):\n" + "\n".join(lines or ["    pass"]), known, written)  # noqa: S102 -- names only
    return written["__init__"]


def _parameter(item: Field[Any]) -> str:
    if item.default is not MISSING:
        return f"{item.name}=_default_{item.name}"
    return item.name if item.default_factory is MISSING else f"{item.name}=_absent"


def _value(item: Field[Any]) -> str:
    if item.default_factory is MISSING:
        return item.name
    return f"_make_{item.name}() if {item.name} is _absent else {item.name}"
