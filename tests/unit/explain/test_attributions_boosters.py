"""Attributions of other libraries' boosters: their own margin, their own contributions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from decisionflow.explain.attributions import attribute_model, prepare_attribution
from decisionflow.explain.attributions.enumeration import enumeration_shapley
from decisionflow.models.binding import bind
from decisionflow.types import ModelOutput

RNG = np.random.default_rng(2)
TABLE = pd.DataFrame(RNG.normal(size=(90, 4)), columns=list("abcd")).mask(RNG.random((90, 4)) < 0.1)
AMOUNT = (TABLE["a"].fillna(0) + TABLE["b"].fillna(1) * TABLE["c"].fillna(0)).to_numpy()
TARGET = (AMOUNT > 0.2).astype(int)
THREE = np.digitize(AMOUNT, [-0.4, 0.6])


def xgboost_classifier(**settings):
    return pytest.importorskip("xgboost").XGBClassifier(n_estimators=9, max_depth=3, **settings)


def lightgbm_classifier(**settings):
    lightgbm = pytest.importorskip("lightgbm")
    return lightgbm.LGBMClassifier(n_estimators=9, min_child_samples=5, verbose=-1, **settings)


def catboost_classifier(**settings):
    catboost = pytest.importorskip("catboost")
    return catboost.CatBoostClassifier(iterations=9, depth=3, silent=True, allow_writing_files=False, **settings)


CLASSIFIERS = [xgboost_classifier, lightgbm_classifier, catboost_classifier]


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_the_margin_is_attributed_over_the_whole_background(make) -> None:
    model = bind("m", make().fit(TABLE, TARGET))
    score = ModelOutput("score", 1)
    for row in (TABLE.iloc[[0]], TABLE.iloc[[17]], TABLE.iloc[[33]]):
        found = attribute_model(model, ModelOutput("probability", 1), row, TABLE)
        assert (found.method, found.exact, found.output) == ("tree-shap-interventional", True, "log-odds")
        base, phi, value = enumeration_shapley(lambda rows: model.column(rows, score), row, TABLE)
        assert found.base == pytest.approx(base, abs=1e-6)
        np.testing.assert_allclose(list(found.phi.values()), phi, atol=1e-6)
        assert found.base + sum(found.phi.values()) == pytest.approx(value, abs=1e-6)
        other = attribute_model(model, ModelOutput("score", 0), row, TABLE)
        np.testing.assert_allclose(list(other.phi.values()), -phi, atol=1e-6)


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_each_class_has_its_own_margin(make) -> None:
    model = bind("m", make().fit(TABLE, THREE))
    row = TABLE.iloc[[5]]
    for label in (0, 1, 2):
        output = ModelOutput("score", label)
        found = attribute_model(model, output, row, TABLE)
        assert (found.method, found.output) == ("tree-shap-interventional", "raw score")
        _, phi, _ = enumeration_shapley(lambda rows, output=output: model.column(rows, output), row, TABLE)
        np.testing.assert_allclose(list(found.phi.values()), phi, atol=1e-6)
    assert attribute_model(model, ModelOutput("probability", 1), row, TABLE.head(20)).method == "enumeration"


@pytest.mark.parametrize("make", CLASSIFIERS)
def test_a_scaler_before_the_booster_changes_nothing_of_this(make) -> None:
    pipeline = make_pipeline(StandardScaler(), make()).fit(TABLE, TARGET)
    model, row = bind("m", pipeline), TABLE.iloc[[3]]
    found = attribute_model(model, ModelOutput("probability", 1), row, TABLE)
    assert (found.method, found.output) == ("tree-shap-interventional", "log-odds")
    _, phi, _ = enumeration_shapley(lambda rows: log_odds(pipeline.predict_proba(rows)[:, 1]), row, TABLE)
    np.testing.assert_allclose(list(found.phi.values()), phi, atol=1e-5)


def log_odds(probability: np.ndarray) -> np.ndarray:
    return np.log(probability / (1 - probability.astype(np.float64)))


def test_stopped_training_counts_only_the_rounds_that_predict() -> None:
    classifier = xgboost_classifier(early_stopping_rounds=2).set_params(n_estimators=60)
    classifier.fit(TABLE, TARGET, eval_set=[(TABLE, 1 - TARGET)], verbose=False)
    model = bind("m", classifier)
    found = prepare_attribution(model, ModelOutput("score", 1), TABLE).attribute(TABLE)
    np.testing.assert_allclose([each.value for each in found], model.column(TABLE, ModelOutput("score", 1)), atol=1e-6)
    np.testing.assert_allclose(
        model.column(TABLE, ModelOutput("probability", 1)), classifier.predict_proba(TABLE)[:, 1], atol=1e-7
    )


def test_categorical_splits_are_enumerated() -> None:
    table = pd.DataFrame({"region": pd.Categorical(["north", "south", "west"] * 20), "n": range(60)})
    model = bind("m", xgboost_classifier(enable_categorical=True).fit(table, [1, 0, 0] * 20))
    plain = table.astype({"region": str})
    found = attribute_model(model, ModelOutput("probability", 1), plain.iloc[[0]], plain)
    assert (found.method, found.exact) == ("enumeration", True)
    assert found.phi["region"] > 0.3
    assert found.base + sum(found.phi.values()) == pytest.approx(found.value, abs=1e-9)
