"""Whether a learner's settings are of the kinds that its fields declare."""

from __future__ import annotations

from dataclasses import fields
from numbers import Integral, Real
from typing import Any

import numpy as np

from decisionflow.learn.learning_errors import SettingError

KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "int": ((Integral,), "a whole number"),
    "float": ((Real,), "a number"),
    "bool": ((Integral, np.bool_), "true or false"),
}
"""The kind as a field declares it, the types that count as it, and its name for a reader."""


def check_kinds(learner: Any) -> None:
    """Raise SettingError where a number or truth was to be set and something else was given."""
    for setting in fields(learner):
        kind, _, otherwise = str(setting.type).partition(" | ")
        value = getattr(learner, setting.name)
        if kind not in KINDS or otherwise not in ("", "None") or (value is None and otherwise):
            continue
        types, words = KINDS[kind]
        if not isinstance(value, types):
            expected = f"{words} or None" if otherwise else words
            raise SettingError(f"{setting.name} is {expected}, not {value!r}")
