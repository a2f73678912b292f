"""Policies with thousands of mistakes are answered in time that grows with their number, not with its square."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

import decisionflow
from decisionflow.check.messages.names import MOST_ADVISED


def test_the_nearest_name_is_sought_for_the_first_unknown_words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[Any] = []
    search = difflib.get_close_matches
    monkeypatch.setattr(
        difflib, "get_close_matches", lambda *args, **named: sought.append(args) or search(*args, **named)
    )
    text = "policy many\nfeature income : number\n" + "".join(f"derived d{n} = incom{n}\n" for n in range(400))
    with pytest.raises(decisionflow.PolicyError) as caught:
        decisionflow.parse_policy(text)
    assert len(caught.value.diagnostics) == 400
    assert caught.value.diagnostics[0].help == "did you mean `income`?"
    assert len(sought) == MOST_ADVISED
