"""SHAP, LIME and Shapley values of the whole decision, against brute force and figures worked out by hand."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest

import decisionflow

CONJUNCTION = """
policy conjunction
feature a : integer [0 .. 10]
feature b : number
feature c : { red, green }
feature unread : number
decision y : { yes, no }
  rule r: if a >= 5 and b < 2 and c = red and a <= 8 then yes
  otherwise no
"""
LIST = """
policy list
feature a : integer [0 .. 10]
feature b : number optional
feature c : { red, green, blue }
feature d : number [0 .. 1]
derived ratio = if a > 0 then b / a else 0
decision y : { yes, no, maybe }
  rule one: if a < 3 and c = red then no
  rule two: if ratio > 0.5 or d > 0.7 then yes
  rule three: if b is missing then maybe
  rule four: if not (c = blue) and d < 0.4 then no
"""
RNG = np.random.default_rng(5)


def rows(count: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "a": RNG.integers(0, 11, count),
            "b": np.where(RNG.random(count) < 0.2, np.nan, RNG.uniform(0, 8, count)),
            "c": RNG.choice(["red", "green"], count),
            "d": RNG.random(count),
            "unread": RNG.random(count),
        }
    )


def brute_force(policy: decisionflow.Policy, row: dict[str, Any], background: pd.DataFrame, outcome: str) -> Any:
    """Base and Shapley values by walking through every order of the features from every background row."""
    names = list(policy.features)
    orders = list(permutations(names))
    walks = []
    for _, other in background.iterrows():
        for order in orders:
            now = {name: other[name] for name in names}
            walks.append(dict(now))
            for name in order:
                now[name] = row[name]
                walks.append(dict(now))
    values = (policy.evaluate(pd.DataFrame(walks))["y"].value == outcome).astype(float)
    steps = values.reshape(len(background) * len(orders), len(names) + 1)
    phi = dict.fromkeys(names, 0.0)
    for place, order in enumerate(orders * len(background)):
        for position, name in enumerate(order):
            phi[name] += (steps[place, position + 1] - steps[place, position]) / len(steps)
    return steps[:, 0].mean(), phi


def part(policy: decisionflow.Policy, row: Any, background: pd.DataFrame, method: str, **options: Any) -> Any:
    return policy.explain(row, background=background, method=method, **options).to_dict()[method]


@pytest.mark.parametrize("place", range(4))
def test_conjunction_in_closed_form_equals_brute_force(place: int) -> None:
    policy = decisionflow.parse_policy(CONJUNCTION)
    data = rows(12).fillna(1.0)
    row, background = data.iloc[place].to_dict(), data.iloc[4:]
    found = part(policy, row, background, "shapley", why_not="yes")
    base, phi = brute_force(policy, row, background, "yes")
    assert phi.pop("unread") == 0.0
    assert (found["attribution"], found["exact"]) == ("conjunction", True)
    assert found["base"] == pytest.approx(base)
    assert found["phi"] == pytest.approx(phi, abs=1e-12)
    other = part(policy, row, background, "shapley", why_not="no")
    assert other["phi"] == pytest.approx({name: -value for name, value in phi.items()}, abs=1e-12)


@pytest.mark.parametrize("outcome", ["yes", "no", "maybe"])
@pytest.mark.parametrize("place", range(3))
def test_rule_list_by_enumeration_and_kernel_equals_brute_force(place: int, outcome: str) -> None:
    policy = decisionflow.parse_policy(LIST)
    data = rows(11)[["a", "b", "c", "d"]]
    data["b"] = data["b"].astype(object).where(data["b"].notna(), None)
    row, background = data.iloc[place].to_dict(), data.iloc[3:]
    base, phi = brute_force(policy, row, background, outcome)
    for method, name in (("shapley", "enumeration"), ("shap", "kernel-shap")):
        found = part(policy, row, background, method, why_not=outcome)
        assert (found["attribution"], found["exact"]) == (name, True)
        assert found["base"] == pytest.approx(base)
        assert found["phi"] == pytest.approx(phi, abs=1e-9)


def test_rows_that_are_not_decided_count_as_zero_and_are_reported() -> None:
    policy = decisionflow.parse_policy(LIST)
    row = {"a": 9, "b": 1.0, "c": "blue", "d": 0.9}
    background = pd.DataFrame([{"a": 9, "b": 1.0, "c": "blue", "d": 0.5}, {"a": 9, "b": 1.0, "c": "blue", "d": 0.6}])
    found = part(policy, row, background, "shapley")
    assert found["phi"] == {"a": 0.0, "b": 0.0, "c": 0.0, "d": 1.0}
    assert (found["base"], found["undecided_share"]) == (0.0, 0.5)


def test_an_undecided_row_needs_the_outcome_to_be_named() -> None:
    policy = decisionflow.parse_policy(LIST)
    data = pd.DataFrame([{"a": 9, "b": 1.0, "c": "blue", "d": 0.5}, {"a": 9, "b": 1.0, "c": "red", "d": 0.1}])
    with pytest.raises(decisionflow.DataError, match=r"undecided for `y`.*--why-not"):
        policy.explain(data, method="shap")
    assert policy.explain(data, method="shap", why_not="no").to_dict()["shap"]["phi"]["c"] == pytest.approx(-0.25)


def test_many_features_are_sampled_and_say_so() -> None:
    names = [f"x{place}" for place in range(14)]
    features = "\n".join(f"feature {name} : number [0 .. 1]" for name in names)
    total = " + ".join(names)
    policy = decisionflow.parse_policy(
        f"policy wide\n{features}\ndecision y : {{ yes, no }}\n  rule r: if {total} > 7 then yes\n  otherwise no"
    )
    data = pd.DataFrame(RNG.random((300, 14)), columns=names)
    for method in ("shap", "shapley"):
        found = part(policy, dict.fromkeys(names, 0.9), data, method)
        assert not found["exact"]
        assert 0 < found["standard_error"] < 0.05
        for name, (low, high) in found["intervals"].items():
            assert low < found["phi"][name] < high < low + 5 * found["standard_error"]
        assert found["base"] + sum(found["phi"].values()) == pytest.approx(found["value"])
        assert found["value"] == 1.0


def test_lime_stays_in_vocabularies_whole_numbers_and_domains_and_takes_missing_values() -> None:
    policy = decisionflow.parse_policy(LIST)
    data = rows(60)[["a", "b", "c", "d"]]
    for row in (data.iloc[0].to_dict() | {"b": None}, data.iloc[1].to_dict() | {"b": 3.0}):
        found = part(policy, row, data, "lime", why_not="yes")
        assert set(found["phi"]) == {"a", "b", "c", "d"}
        assert found["stability"]["runs"] == 5
        assert 0 < found["stability"]["agreement"] <= 1
        undecided = (policy.evaluate(data)["y"].status == "undecided").mean()
        assert 0 < found["undecided_share"] < undecided + 0.3
