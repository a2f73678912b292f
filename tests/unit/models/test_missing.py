"""Which inputs may be missing: scikit-learn's tag, followed through pipelines column by column."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from decisionflow.models.binding import bind

TABLE = pd.DataFrame({"a": [0.0, 1, 2, 3, 4, 5], "b": [1.0, 0, 1, 0, 1, 0], "job": list("xyxyxy")})
TARGET = [0, 0, 0, 1, 1, 1]
NUMBERS = ["a", "b"]


def by_column(*parts) -> ColumnTransformer:
    return ColumnTransformer([(str(place), *part) for place, part in enumerate(parts)], remainder="drop")


@pytest.mark.parametrize(
    ("estimator", "columns", "may_miss"),
    [
        (LogisticRegression(), NUMBERS, set()),
        (HistGradientBoostingClassifier(), NUMBERS, {"a", "b"}),
        (make_pipeline(StandardScaler(), LogisticRegression()), NUMBERS, set()),
        (make_pipeline(StandardScaler(), HistGradientBoostingClassifier()), NUMBERS, {"a", "b"}),
        (make_pipeline(SimpleImputer(), LogisticRegression()), NUMBERS, {"a", "b"}),
        (
            make_pipeline(StandardScaler(), SimpleImputer(), PolynomialFeatures(), LogisticRegression()),
            NUMBERS,
            {"a", "b"},
        ),
        (make_pipeline(PolynomialFeatures(), HistGradientBoostingClassifier()), NUMBERS, set()),
        (
            make_pipeline(by_column((SimpleImputer(), ["a"]), ("passthrough", ["b"])), LogisticRegression()),
            NUMBERS,
            {"a"},
        ),
        (
            make_pipeline(
                by_column((SimpleImputer(), ["a"]), ("passthrough", ["b"])), HistGradientBoostingClassifier()
            ),
            NUMBERS,
            {"a", "b"},
        ),
        (
            make_pipeline(
                by_column(
                    (make_pipeline(SimpleImputer(), StandardScaler()), ["a"]),
                    (OneHotEncoder(), ["job"]),
                    (StandardScaler(), ["b"]),
                ),
                GradientBoostingClassifier(n_estimators=2),
            ),
            ["a", "b", "job"],
            {"a"},
        ),
        (
            make_pipeline(by_column((OneHotEncoder(handle_unknown="ignore"), ["job"])), LogisticRegression()),
            ["a", "job"],
            {"a", "job"},
        ),
    ],
)
def test_missing_values_are_followed_to_the_step_that_replaces_them(
    estimator, columns: list[str], may_miss: set[str]
) -> None:
    model = bind("m", estimator.fit(TABLE[columns], TARGET))
    assert {column for column in columns if model.takes_missing_in(column)} == may_miss
    assert model.takes_missing == (may_miss == set(columns))
    gaps = TABLE[columns].copy()
    for column in may_miss:
        gaps.loc[0, column] = np.nan
    assert np.isfinite(model.functions["probability"](gaps)).all()


def test_a_function_takes_no_missing_values() -> None:
    assert not bind("m", lambda frame: frame["a"]).takes_missing
