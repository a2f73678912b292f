"""Frozen values behave as `dataclass(frozen=True, slots=True)` has them behave."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from decisionflow.frozen import frozen


@frozen
class Place:
    """A value with every kind of field."""

    name: str
    size: int = 1
    notes: list[str] = field(default_factory=list)
    seen: object = field(default=None, compare=False, repr=False)


@frozen
class Nothing:
    """A value without fields."""


@frozen
class Halved:
    """A value that checks itself."""

    whole: int
    half: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "half", self.whole // 2)
        if self.whole % 2:
            raise ValueError("odd")

    def __str__(self) -> str:
        return str(self.half)


@dataclass(frozen=True, slots=True)
class Standard:
    """The same as `Place`, made by the standard library."""

    name: str
    size: int = 1
    notes: list[str] = field(default_factory=list)
    seen: object = field(default=None, compare=False, repr=False)


def test_a_value_is_made_by_place_and_by_name_with_defaults() -> None:
    made = Place("a", size=2)
    assert (made.name, made.size, made.notes, made.seen) == ("a", 2, [], None)
    assert Place("a").notes is not Place("a").notes
    assert str(Halved(6)) == "3"


@pytest.mark.parametrize("arguments", [{}, {"name": "a", "other": 1}])
def test_wrong_arguments_are_refused(arguments: dict[str, Any]) -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="argument"):
            Place(**arguments)


def test_a_value_checks_itself_each_time() -> None:
    for _ in range(2):
        with pytest.raises(ValueError, match="odd"):
            Halved(3)


def test_equality_hash_and_text_are_those_of_a_dataclass() -> None:
    assert Place("a", seen=1) == Place("a", seen=2) != Place("b")
    assert Place("a") != Standard("a")
    assert hash(Nothing()) == hash(Nothing())
    assert hash(Halved(2)) == hash(Halved(2))
    with pytest.raises(TypeError, match="unhashable"):
        hash(Place("a"))
    assert repr(Place("a", notes=["b"])) == repr(Standard("a", notes=["b"])).replace("Standard", "Place")
    assert Place.__match_args__ == Standard.__match_args__
    assert [item.name for item in fields(Place)] == [item.name for item in fields(Standard)]


def test_nothing_changes_or_is_added() -> None:
    made: Any = Place("a")
    with pytest.raises(FrozenInstanceError, match="'name'"):
        made.name = "b"
    with pytest.raises(FrozenInstanceError, match="'name'"):
        del made.name
    assert not hasattr(made, "__dict__")
    assert replace(made, size=3) == Place("a", 3)


@pytest.mark.parametrize("made", [Place("a", 2, ["b"], seen=3), Nothing(), Halved(4)])
def test_a_value_is_copied_and_shipped(made: object) -> None:
    for twin in (copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert twin == made
        assert repr(twin) == repr(made)
