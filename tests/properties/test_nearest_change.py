"""The nearest change of generated policies is what trying every row of a grid finds."""

from __future__ import annotations

import itertools
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow
from decisionflow.api.policy import Policy

Row = dict[str, Any]
GRID: dict[str, list[Any]] = {
    "a": list(range(6)),
    "b": list(range(5)),
    "x": [place / 10 for place in range(11)],
    "c": ["red", "green", "blue"],
    "g": ["low", "mid", "high"],
}
TYPES = {
    "a": "integer [0 .. 5]",
    "b": "integer [0 .. 4]",
    "x": "number [0.0 .. 1.0]",
    "c": "{ red, green, blue }",
    "g": "ordered { low, mid, high }",
}
SCALES = {"a": 5.0, "b": 4.0, "x": 1.0}
CHANGES = ["", "", "", "immutable", "increasing never", "decreasing never"]
WIDTHS = {"plain": 0, "formulas": 4}


def condition(random: Random, kinds: int, depth: int = 2) -> str:
    if depth and random.random() < 0.45:
        parts = [condition(random, kinds, depth - 1) for _ in range(random.choice([2, 2, 3]))]
        kind = random.choice(["and", "and", "or", "not", "count"])
        if kind == "not":
            return f"not ({parts[0]})"
        if kind == "count":
            return f"{random.choice(['at least', 'at most', 'exactly'])} {random.randint(1, 2)} of ({', '.join(parts)})"
        return "(" + f" {kind} ".join(parts) + ")"
    comparison = random.choice(["<", "<=", ">", ">=", "=", "!="])
    number = random.randint(0, 5)
    share = f"{random.randint(0, 10) / 10:.1f}"
    plain = [
        f"a {comparison} {number}",
        f"x {comparison} {share}",
        f"b in [{number} .. {number + 2})",
        f"x in ({min(share, '0.8')} .. 0.9]",
        f"c in {{ {', '.join(random.sample(GRID['c'], 2))} }}",
        f"c {random.choice(['=', '!='])} {random.choice(GRID['c'])}",
        f"g {comparison} {random.choice(GRID['g'])}",
        f"a not in {{ {number}, {random.randint(0, 5)} }}",
    ]
    formulas = [
        f"ratio {comparison} {random.choice(['0.5', '1', '2', '0.75'])}",
        f"a + 2 * b {comparison} {random.randint(1, 12)}",
        f"gap {comparison} {random.randint(0, 3)}",
        f"max(a, b, 2) {comparison} {number}",
    ]
    return random.choice(plain + formulas[:kinds] * 2)


def policy_text(random: Random, kinds: int) -> str:
    features = "\n".join(
        f"feature {name} : {kind} {random.choice(CHANGES[:4] if name == 'c' else CHANGES)}"
        for name, kind in TYPES.items()
    )
    hits = random.choice(["", "", "unique", "any", "priority"])
    rules = "\n".join(
        f"  rule r{number}: if {condition(random, kinds)} then {random.choice(['yes', 'no', 'maybe'])}"
        for number in range(random.randint(2, 5))
    )
    otherwise = random.choice(["", f"  otherwise {random.choice(['yes', 'no', 'maybe'])}"])
    derived = "derived ratio = if b > 0 then a / b else 1\nderived gap = abs(a - b)\n" if kinds else ""
    return f"policy demo\n{features}\n{derived}decision d : {{ yes, no, maybe }} {hits}\n{rules}\n{otherwise}\n"


def grid() -> pd.DataFrame:
    return pd.DataFrame(list(itertools.product(*GRID.values())), columns=list(GRID))


def permitted(policy: Policy, rows: pd.DataFrame, row: Row) -> np.ndarray[Any, Any]:
    """Which rows of the grid the row may be changed into."""
    kept = np.ones(len(rows), bool)
    for name, feature in policy.features.items():
        column, here, change = rows[name], row[name], feature.change
        if name == "g":
            column, here = column.map(GRID["g"].index), GRID["g"].index(here)
        if change.immutable:
            kept &= column == here
        if name != "c":
            kept &= (column <= here) | change.may_increase
            kept &= (column >= here) | change.may_decrease
    return kept


def costs(rows: pd.DataFrame, row: Row) -> np.ndarray[Any, Any]:
    """Cost of each row of the grid, and how many features it changes."""
    parts = [
        (rows[name] - row[name]).abs() / SCALES[name] if name in SCALES else (rows[name] != row[name]).astype(float)
        for name in policy_names(rows)
    ]
    return np.column_stack([np.sum(parts, axis=0), np.sum([part > 0 for part in parts], axis=0)])


def policy_names(rows: pd.DataFrame) -> list[str]:
    return [name for name in rows.columns if name in GRID]


@pytest.mark.parametrize("kinds", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("block", range(15))
def test_equals_brute_force(block: int, kinds: int) -> None:
    rows, random = grid(), Random(1000 * kinds + block)
    for _ in range(20):
        text = policy_text(random, kinds)
        policy = decisionflow.parse_policy(text)
        row = {name: random.choice(places) for name, places in GRID.items()}
        most = random.choice([None, None, 1, 2])
        answers = policy.evaluate(rows)["d"]
        present = policy.evaluate(row)["d"]
        wanted = random.choice([None, *(label for label in ("yes", "no", "maybe") if f" {label}\n" in text)])
        other = np.array([value is not None and value != present.value for value in answers.value])
        fits = other if wanted is None else np.asarray(answers.value) == wanted
        measured = costs(rows, row)
        fits &= permitted(policy, rows, row) & (measured[:, 1] <= (most or 5))
        explanation = policy.explain([row], method="change", why_not=wanted, max_features=most, background=rows)
        found = explanation.to_dict()["nearest_change"]
        if not fits.any():
            assert found["status"] == "impossible", (text, row, found)
            continue
        best = measured[fits].round(9).tolist()
        cost, count = min(best)
        assert (found["status"], round(found["cost"], 9), len(found["changes"])) == ("optimal", cost, count), (
            text,
            row,
            wanted,
            found,
        )
        changed = row | {change["feature"]: change["to"] for change in found["changes"]}
        assert policy.evaluate(changed)["d"].value == found["decided"]["value"]


@pytest.mark.parametrize("kinds", WIDTHS.values(), ids=WIDTHS)
def test_certificate_holds_and_goes_no_further(kinds: int) -> None:
    rows, random, certified = grid(), Random(77 + kinds), 0
    while certified < 25:
        policy = decisionflow.parse_policy(policy_text(random, kinds))
        row = {name: random.choice(places) for name, places in GRID.items()}
        present = policy.evaluate(row)["d"]
        if present.status != "decided":
            continue
        certified += 1
        stays = np.array([value == present.value for value in policy.evaluate(rows)["d"].value])
        explanation = policy.explain([row], method="certificate", background=rows)
        found = explanation.to_dict()["certificate"]
        behind = set(found["box"])
        inside = np.ones(len(rows), bool)
        for name in GRID:
            if name not in behind:
                continue
            later = np.ones(len(rows), bool)
            for other in list(GRID)[list(GRID).index(name) + 1 :]:
                later &= (rows[other] == row[other]) | (other not in behind)
            reach = _within(rows[name], found["box"][name])
            for place in GRID[name]:
                if _within(pd.Series([place]), found["box"][name])[0]:
                    assert stays[inside & later & (rows[name] == place)].all()
            for place in _beyond(GRID[name], found["box"][name]):
                assert not stays[inside & later & (rows[name] == place)].all(), (name, place, found)
            inside &= reach
        assert stays[inside].all()


def _within(column: pd.Series, part: dict[str, Any]) -> np.ndarray[Any, Any]:
    if "labels" in part:
        return np.asarray(column.isin(part["labels"]))
    low = -np.inf if part["low"] is None else part["low"]
    high = np.inf if part["high"] is None else part["high"]
    above = column >= low if part["low_closed"] else column > low
    return np.asarray(above & (column <= high if part["high_closed"] else column < high))


def _beyond(places: list[Any], part: dict[str, Any]) -> list[Any]:
    """The places next to the box on either side; of labels all outside."""
    inside = _within(pd.Series(places), part)
    if "labels" in part:
        return [place for place, within in zip(places, inside, strict=True) if not within]
    kept = np.flatnonzero(inside)
    return [places[at] for at in (kept[0] - 1, kept[-1] + 1) if 0 <= at < len(places)]
