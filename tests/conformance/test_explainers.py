"""Every method of `explain` keeps its family's promises: same call same answer, its key, models of every shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier

import decisionflow
from decisionflow.explain.explainers import COMPANION, EXPLAINERS, SMACE, Explainer
from decisionflow.explain.published import METHOD_PARTS, explanation_schema

NAMES = [explainer.name for explainer in EXPLAINERS]
EVERY = pytest.mark.parametrize("explainer", EXPLAINERS, ids=NAMES)
OF_MODELS = ("shap", "lime")


class NamedOnly:
    """A stand-in for a pipeline that reads columns by name: it fails on bare arrays, wrong names and wrong types."""

    classes_ = ("no", "yes")

    def predict_proba(self, rows: pd.DataFrame) -> np.ndarray[Any, Any]:
        if not isinstance(rows, pd.DataFrame) or list(rows.columns) != ["job", "income_k"]:
            raise TypeError("needs a table with the columns job and income_k")
        if not all(isinstance(value, str) for value in rows["job"]):
            raise TypeError("job must be text")
        if not pd.api.types.is_integer_dtype(rows["income_k"].dtype):
            raise TypeError("income_k must be whole")
        share = 0.2 + 0.5 * (rows["job"] == "driver") - 0.002 * rows["income_k"].astype(float)
        return np.column_stack([1 - share, share])


LOAN = """
policy loan
feature job      : text
feature income_k : integer [0 .. 500]
model default_risk : probability of yes using job, income_k
decision outcome : { decline, approve }
  rule risky: if default_risk > 0.5 and income_k < 35 then decline
  otherwise approve
"""
BACKGROUND = pd.DataFrame({"job": ["clerk", "nurse", "driver", "clerk"], "income_k": [20, 40, 60, 40]})
DRIVER = {"job": "driver", "income_k": 30}

TRIAGE = """
policy ward
feature temp : number [30 .. 45]
feature spo2 : integer [50 .. 100]
model triage : { home, clinic, hospital } using temp, spo2
model churn  : probability of T using temp, spo2
decision action : { admit, offer, nothing }
  rule R1: if triage = hospital then admit
  rule R2: if churn >= 0.5      then offer
  otherwise nothing
"""
ROWS = pd.DataFrame({"temp": [36.0, 37, 38, 39, 40, 41] * 6, "spo2": [99, 98, 96, 93, 90, 85] * 6})
PATIENTS = pd.DataFrame({"temp": [40.5, 36.4], "spo2": [88, 99]})


def loan() -> decisionflow.Policy:
    return decisionflow.parse_policy(LOAN, models={"default_risk": NamedOnly()})


@pytest.fixture(scope="module")
def ward() -> decisionflow.Policy:
    triage = RandomForestClassifier(10, random_state=0).fit(
        ROWS, ["home", "home", "clinic", "clinic", "hospital", "hospital"] * 6
    )
    churn = RandomForestClassifier(10, random_state=0).fit(ROWS, ["F", "F", "F", "T", "T", "T"] * 6)
    return decisionflow.parse_policy(TRIAGE, models={"triage": triage, "churn": churn})


@EVERY
def test_a_model_that_needs_a_named_table_gets_one(explainer: Explainer) -> None:
    found = loan().explain(DRIVER, background=BACKGROUND, method=explainer.name)
    assert explainer.key in found.to_dict()
    assert found.to_dict()["value"] == "decline"


@EVERY
@pytest.mark.parametrize("row", [0, 1])
def test_models_of_many_classes(explainer: Explainer, row: int, ward: decisionflow.Policy) -> None:
    found = ward.explain(PATIENTS, row=row, background=ROWS, method=explainer.name)
    assert explainer.key in found.to_dict()
    assert list(faults(SCHEMA, found.to_dict())) == []
    assert str(found)


SCHEMA = explanation_schema()
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def faults(schema: dict[str, Any], value: Any, place: str = "$") -> Iterator[str]:
    """What of a JSON value is not as its schema says, as far as the published one goes."""
    if "$ref" in schema:
        yield from faults(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value, place)
    elif "anyOf" in schema:
        if all(list(faults(each, value, place)) for each in schema["anyOf"]):
            yield f"{place}: {value!r} is none of the alternatives"
    elif "enum" in schema and value not in schema["enum"]:
        yield f"{place}: {value!r} is not one of {schema['enum']}"
    elif schema.get("type") == "null" and value is not None:
        yield f"{place}: {value!r} is not null"
    elif schema.get("type") in KINDS and not is_kind(value, schema["type"]):
        yield f"{place}: {value!r} is no {schema['type']}"
    elif isinstance(value, dict):
        yield from (f"{place}.{name} is missing" for name in schema.get("required", ()) if name not in value)
        for name, item in value.items():
            further = schema.get("additionalProperties", {})
            inner = schema.get("properties", {}).get(name, further if isinstance(further, dict) else {})
            yield from faults(inner, item, f"{place}.{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from faults(schema.get("items", {}), item, f"{place}[{number}]")


def is_kind(value: Any, kind: str) -> bool:
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def test_the_published_schema_knows_the_part_of_every_method() -> None:
    assert set(METHOD_PARTS) == {COMPANION.key, *(explainer.key for explainer in EXPLAINERS)}
    assert next(faults(SCHEMA, {"policy": 1})) == "$.policy_sha256 is missing"
    assert "class" in SCHEMA["$defs"]["LocalRulePart"]["properties"]


@EVERY
def test_same_call_same_bytes(explainer: Explainer, ward: decisionflow.Policy) -> None:
    first, second = (
        ward.explain(PATIENTS, background=ROWS, method=explainer.name, seed=3, today="2026-11-29") for _ in range(2)
    )
    assert first.to_json() == second.to_json()
    assert str(first) == str(second)


def test_several_methods_stand_beside_smace(ward: decisionflow.Policy) -> None:
    found = ward.explain(PATIENTS, background=ROWS, method=[SMACE, "shapley", "anchor"]).to_dict()
    assert {"contributions", "shapley", "anchor"} <= set(found)


def test_an_unknown_method_is_named_with_those_that_there_are() -> None:
    with pytest.raises(decisionflow.DataError, match="shapley, lime"):
        loan().explain(DRIVER, background=BACKGROUND, method="shapely")


@EVERY
def test_without_a_background_one_is_asked_for(explainer: Explainer) -> None:
    policy = decisionflow.parse_policy(
        "policy p\nfeature x : number [0 .. 1]\ndecision y : { a, b }\n  rule r: if x > 0.5 then b\n  otherwise a"
    )
    if explainer.name == "change":
        assert policy.explain({"x": 0.2}, method="change").to_dict()["nearest_change"]["status"] == "optimal"
        return
    if explainer.name == "certificate":
        assert policy.explain({"x": 0.2}, method="certificate").to_dict()["certificate"]
        return
    with pytest.raises(decisionflow.DataError, match="background"):
        policy.explain({"x": 0.2}, method=explainer.name)


def test_shap_of_a_model_is_the_known_one() -> None:
    found = loan().explain(DRIVER, background=BACKGROUND, method="shap", of="default_risk").to_dict()["shap"]
    assert found["base"] == pytest.approx(0.245)
    assert found["phi"] == pytest.approx({"job": 0.375, "income_k": 0.02})
    assert found["value"] == pytest.approx(0.64)
    assert found["exact"]


@pytest.mark.parametrize("label", ["home", "clinic", "hospital"])
@pytest.mark.parametrize("row", [0, 1])
def test_base_and_contributions_of_each_class_make_its_probability(
    label: str, row: int, ward: decisionflow.Policy
) -> None:
    found = ward.explain(PATIENTS, row=row, background=ROWS, method="shap", of=f"triage={label}").to_dict()["shap"]
    subject: Any = ward.bound["triage"].subject
    output = subject.predict_proba(PATIENTS)[row][list(subject.classes_).index(label)]
    assert found["output"] == "probability"
    assert found["base"] + sum(found["phi"].values()) == pytest.approx(output)
    assert set(found["phi"]) == {"temp", "spo2"}


def test_contributions_to_one_of_two_classes_are_minus_those_to_the_other(ward: decisionflow.Policy) -> None:
    phi = {
        label: ward.explain(PATIENTS, background=ROWS, method="shap", of=f"churn={label}").to_dict()["shap"]["phi"]
        for label in "FT"
    }
    assert phi["F"] == pytest.approx({name: -value for name, value in phi["T"].items()})


@pytest.mark.parametrize("method", OF_MODELS)
@pytest.mark.parametrize("of", ["triage=ward", "tirage"])
def test_a_class_or_model_that_is_not_there_is_refused(method: str, of: str, ward: decisionflow.Policy) -> None:
    with pytest.raises(decisionflow.DataError, match=r"home|triage"):
        ward.explain(PATIENTS, background=ROWS, method=method, of=of)


@pytest.mark.parametrize("method", OF_MODELS)
def test_attributions_add_up(method: str, ward: decisionflow.Policy) -> None:
    for options in ({}, {"of": "churn"}):
        found = ward.explain(PATIENTS, background=ROWS, method=method, **options).to_dict()[method]
        assert found["base"] + sum(found["phi"].values()) == pytest.approx(found["value"])
