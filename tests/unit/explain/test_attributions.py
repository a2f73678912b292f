"""Attributions against the cases' figures and against naive enumeration over source columns."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, SplineTransformer, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from decisionflow.errors import DataError, ModelError
from decisionflow.explain.attributions import Attribution, attribute_model, prepare_attribution
from decisionflow.explain.attributions.conjunction import conjunction_shapley
from decisionflow.explain.attributions.enumeration import difference_shapley, enumeration_shapley
from decisionflow.explain.attributions.intervals import t_intervals
from decisionflow.explain.attributions.permutation import permutation_shapley
from decisionflow.models.binding import bind
from decisionflow.types import ModelOutput

YES = ModelOutput("probability", "yes")
NUMBER = ModelOutput("number")


def naive_shapley(function, row: pd.DataFrame, background: pd.DataFrame) -> tuple[float, dict[str, float]]:
    """Shapley's formula word by word: one coalition, one background table at a time."""
    columns = list(row.columns)

    def worth(members: tuple[str, ...]) -> float:
        table = background[columns].copy()
        for column in members:
            table[column] = [row[column].iloc[0]] * len(table)
        return float(np.mean(function(table)))

    phi = {}
    for column in columns:
        others = [each for each in columns if each != column]
        phi[column] = 0.0
        for size in range(len(columns)):
            weight = factorial(size) * factorial(len(columns) - size - 1) / factorial(len(columns))
            for members in combinations(others, size):
                phi[column] += weight * (worth((*members, column)) - worth(members))
    return worth(()), phi


def agrees(found: Attribution, function, row: pd.DataFrame, background: pd.DataFrame, within: float = 1e-9) -> None:
    base, phi = naive_shapley(function, row, background)
    assert found.base == pytest.approx(base, abs=within)
    assert list(found.phi) == list(row.columns)
    for column, share in phi.items():
        assert found.phi[column] == pytest.approx(share, abs=within), column
    assert found.base + sum(found.phi.values()) == pytest.approx(float(function(row)[0]), abs=within)
    assert found.value == pytest.approx(float(function(row)[0]), abs=within)


@pytest.fixture(scope="module")
def numbers() -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.normal(size=(120, 4)), columns=list("abcd"))
    table["d"] = rng.integers(0, 4, 120)
    amount = (table["a"] + table["b"] * table["c"] + 0.3 * table["d"] + rng.normal(scale=0.3, size=120)).to_numpy()
    return table, np.where(amount > 0.3, "yes", "no"), amount


@pytest.fixture(scope="module")
def mixed() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 90),
            "job": rng.choice(["clerk", "nurse", "driver"], 90),
            "income": np.where(rng.random(90) < 0.1, np.nan, rng.normal(3000, 800, 90)),
        }
    )
    return table, np.where((table["job"] == "driver") | (table["age"] < 30), "yes", "no")


def columnwise() -> ColumnTransformer:
    return ColumnTransformer(
        [
            ("income", make_pipeline(SimpleImputer(), StandardScaler()), ["income"]),
            ("job", OneHotEncoder(), ["job"]),
            ("age", SplineTransformer(n_knots=4), ["age"]),
        ]
    )


def log_odds(estimator):
    def function(table: pd.DataFrame) -> np.ndarray:
        share = estimator.predict_proba(table)
        return np.log(share[:, 1] / share[:, 0])

    return function


def test_scaled_logistic_regression_is_additive_on_the_log_odds(numbers) -> None:
    table, target, _ = numbers
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(table, target)
    found = attribute_model(bind("m", pipeline), YES, table.iloc[[7]], table)
    assert (found.method, found.exact, found.output) == ("linear", True, "log-odds")
    agrees(found, log_odds(pipeline), table.iloc[[7]], table)
    other = attribute_model(bind("m", pipeline), ModelOutput("probability", "no"), table.iloc[[7]], table)
    assert {name: -share for name, share in other.phi.items()} == pytest.approx(dict(found.phi))
    assert other.base == pytest.approx(-found.base)


def test_column_wise_preprocessing_is_summed_over_source_columns(mixed) -> None:
    table, target = mixed
    pipeline = make_pipeline(columnwise(), LogisticRegression(max_iter=1000)).fit(table, target)
    found = attribute_model(bind("m", pipeline), YES, table.iloc[[4]], table)
    assert found.method == "linear"
    agrees(found, log_odds(pipeline), table.iloc[[4]], table)


def test_compiled_preprocessing_is_the_real_one(mixed) -> None:
    table, target = mixed
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["income", "age"]),
            ("job", OneHotEncoder(drop="first", handle_unknown="ignore"), ["job"]),
            ("again", "passthrough", ["age"]),
        ],
        sparse_threshold=0,
    )
    pipeline = make_pipeline(columns, StandardScaler(), LogisticRegression()).fit(table, target)
    prepared = prepare_attribution(bind("m", pipeline), YES, table)
    assert prepared.preprocessing.compiled is not None
    agrees(prepared.attribute(table.iloc[[4]])[0], log_odds(pipeline), table.iloc[[4]], table)
    stranger = table.iloc[[4]].assign(job="pilot")
    with pytest.warns(UserWarning, match="unknown categories"):
        found = prepared.attribute(stranger)[0]
    with pytest.warns(UserWarning, match="unknown categories"):
        assert found.value == pytest.approx(float(log_odds(pipeline)(stranger)[0]), abs=1e-9)


def test_a_ufunc_keeps_columns_apart(numbers) -> None:
    table, _, amount = numbers
    pipeline = make_pipeline(FunctionTransformer(np.tanh), LinearRegression()).fit(table, amount)
    found = attribute_model(bind("m", pipeline), NUMBER, table.iloc[[1]], table)
    assert (found.method, found.output) == ("linear", "value")
    agrees(found, pipeline.predict, table.iloc[[1]], table)


def test_mixed_columns_are_not_taken_for_linear_in_them(numbers) -> None:
    table, target, _ = numbers
    pipeline = make_pipeline(PCA(2), LogisticRegression()).fit(table, target)
    found = attribute_model(bind("m", pipeline), YES, table.iloc[[1]], table)
    assert (found.method, found.output) == ("enumeration", "probability")
    agrees(found, lambda rows: pipeline.predict_proba(rows)[:, 1], table.iloc[[1]], table)


@pytest.mark.parametrize("kind", [LinearSVC, RidgeClassifier])
def test_scores_are_additive_towards_the_label_named(numbers, kind: type) -> None:
    table, target, _ = numbers
    machine = kind().fit(table, target)
    found = attribute_model(bind("m", machine), ModelOutput("score", "no"), table.iloc[[2]], table)
    assert (found.method, found.output) == ("linear", "raw score")
    agrees(found, lambda rows: -machine.decision_function(rows), table.iloc[[2]], table)


def test_a_log_link_is_additive_in_the_logarithm(numbers) -> None:
    table, _, amount = numbers
    model = PoissonRegressor().fit(table, np.exp(amount))
    found = attribute_model(bind("m", model), NUMBER, table.iloc[[2]], table)
    assert (found.method, found.output) == ("linear", "raw score")
    agrees(found, lambda rows: np.log(model.predict(rows)), table.iloc[[2]], table)


FORESTS = [
    RandomForestClassifier(7, random_state=0),
    ExtraTreesClassifier(7, random_state=0),
    DecisionTreeClassifier(random_state=0),
]


@pytest.mark.parametrize("forest", FORESTS, ids=lambda each: type(each).__name__)
def test_forests_are_attributed_on_the_mean_probability(numbers, forest) -> None:
    table, target, _ = numbers
    forest.fit(table, target)
    for label, place in (("yes", 1), ("no", 0)):
        found = attribute_model(bind("m", forest), ModelOutput("probability", label), table.iloc[[5]], table)
        assert (found.method, found.exact, found.output) == ("tree-shap-interventional", True, "probability")
        agrees(found, lambda rows, place=place: forest.predict_proba(rows)[:, place], table.iloc[[5]], table)


BOOSTERS = [
    GradientBoostingClassifier(n_estimators=12, random_state=0),
    HistGradientBoostingClassifier(max_iter=12, min_samples_leaf=5, random_state=0),
]


@pytest.mark.parametrize("booster", BOOSTERS, ids=lambda each: type(each).__name__)
def test_boosters_are_attributed_on_the_margin(numbers, booster) -> None:
    table, target, _ = numbers
    booster.fit(table, target)
    found = attribute_model(bind("m", booster), YES, table.iloc[[9]], table)
    assert (found.method, found.exact, found.output) == ("tree-shap-interventional", True, "log-odds")
    agrees(found, booster.decision_function, table.iloc[[9]], table)
    other = attribute_model(bind("m", booster), ModelOutput("score", "no"), table.iloc[[9]], table)
    assert other.output == "raw score"
    assert {name: -share for name, share in other.phi.items()} == pytest.approx(dict(found.phi))


REGRESSORS = [
    RandomForestRegressor(6, random_state=0),
    GradientBoostingRegressor(n_estimators=9, random_state=0),
    HistGradientBoostingRegressor(max_iter=9, min_samples_leaf=5, random_state=0),
]


@pytest.mark.parametrize("regressor", REGRESSORS, ids=lambda each: type(each).__name__)
def test_tree_regressions_are_attributed_on_their_value(numbers, regressor) -> None:
    table, _, amount = numbers
    regressor.fit(table, amount)
    found = attribute_model(bind("m", regressor), NUMBER, table.iloc[[9]], table)
    assert (found.method, found.output) == ("tree-shap-interventional", "value")
    agrees(found, regressor.predict, table.iloc[[9]], table)


@pytest.mark.parametrize("kind", [HistGradientBoostingClassifier, RandomForestClassifier])
def test_trees_send_missing_values_where_they_were_trained_to(numbers, kind: type) -> None:
    table, target, _ = numbers
    gaps = table.astype(float).mask(np.random.default_rng(0).random(table.shape) < 0.2)
    trees = kind(random_state=0).fit(gaps, target)
    found = attribute_model(bind("m", trees), YES, gaps.iloc[[0]], gaps)
    assert found.method == "tree-shap-interventional"
    margin = (
        trees.decision_function if hasattr(trees, "decision_function") else lambda rows: trees.predict_proba(rows)[:, 1]
    )
    agrees(found, margin, gaps.iloc[[0]], gaps)


def test_tree_values_are_those_of_the_shap_package(numbers) -> None:
    shap = pytest.importorskip("shap")
    table, target, _ = numbers
    forest = RandomForestClassifier(9, random_state=1).fit(table.to_numpy(), target)
    background = shap.maskers.Independent(table.to_numpy(dtype=float), max_samples=len(table))
    peer = shap.TreeExplainer(forest, background, feature_perturbation="interventional")
    theirs = peer.shap_values(table.to_numpy(dtype=float)[:10], check_additivity=False)[:, :, 1]
    ours = prepare_attribution(bind("m", forest), YES, table).attribute(table.iloc[:10])
    np.testing.assert_allclose([list(each.phi.values()) for each in ours], theirs, atol=1e-6)


def test_compiled_trees_say_the_same(numbers, monkeypatch: pytest.MonkeyPatch) -> None:
    table, target, _ = numbers
    gaps = table.astype(float).mask(np.random.default_rng(0).random(table.shape) < 0.1)
    model = bind("m", HistGradientBoostingClassifier(max_iter=8, random_state=0).fit(gaps, target))
    plain = prepare_attribution(model, YES, gaps).attribute(gaps)
    monkeypatch.setattr("decisionflow.explain.attributions.trees.WORTH_COMPILING", 1)
    compiled = prepare_attribution(model, YES, gaps).attribute(gaps)
    for first, second in zip(plain, compiled, strict=True):
        assert second.phi == pytest.approx(dict(first.phi), abs=1e-12)
        assert second.base == pytest.approx(first.base, abs=1e-12)


def test_multiclass_forests_are_right_for_each_class_separately() -> None:
    table = pd.DataFrame({"temp": [36, 37, 38, 39, 40, 41] * 6, "spo2": [99, 98, 96, 93, 90, 85] * 6})
    triage = RandomForestClassifier(10, random_state=0).fit(
        table, ["home", "home", "clinic", "clinic", "hospital", "hospital"] * 6
    )
    row = pd.DataFrame({"temp": [40.5], "spo2": [88]})
    for place, label in enumerate(triage.classes_):
        found = attribute_model(bind("triage", triage), ModelOutput("probability", label), row, table)
        agrees(found, lambda rows, place=place: triage.predict_proba(rows)[:, place], row, table)
        tested = attribute_model(bind("triage", triage), ModelOutput("label", label), row, table)
        assert tested == found


def test_two_class_contributions_mirror_each_other() -> None:
    table = pd.DataFrame({"temp": [36, 37, 38, 39, 40, 41] * 6, "spo2": [99, 98, 96, 93, 90, 85] * 6})
    churn = bind("churn", RandomForestClassifier(10, random_state=0).fit(table, ["F", "F", "F", "T", "T", "T"] * 6))
    first, second = (attribute_model(churn, ModelOutput("probability", each), table.iloc[[0]], table) for each in "FT")
    assert {name: -share for name, share in first.phi.items()} == pytest.approx(dict(second.phi))


def test_multiclass_boosters_are_enumerated_on_the_probability(numbers) -> None:
    table, _, amount = numbers
    target = np.array(["low", "mid", "high"])[np.digitize(amount, [-0.5, 0.8])]
    booster = HistGradientBoostingClassifier(max_iter=4).fit(table, target)
    model = bind("m", booster)
    found = attribute_model(model, ModelOutput("probability", "mid"), table.iloc[[3]], table)
    assert (found.method, found.output) == ("enumeration", "probability")
    margin = attribute_model(model, ModelOutput("score", "mid"), table.iloc[[3]], table)
    assert margin.method == "tree-shap-interventional"
    agrees(margin, lambda rows: booster.decision_function(rows)[:, 2], table.iloc[[3]], table)


def test_dummy_columns_come_back_as_their_source(mixed) -> None:
    table, target = mixed
    pipeline = make_pipeline(columnwise(), RandomForestClassifier(5, random_state=0)).fit(table, target)
    found = attribute_model(bind("m", pipeline), YES, table.iloc[[4]], table)
    assert found.method == "tree-shap-interventional"
    assert list(found.phi) == ["age", "job", "income"]
    value = pipeline.predict_proba(table.iloc[[4]])[0, 1]
    assert found.base + sum(found.phi.values()) == pytest.approx(value, abs=1e-9)
    assert found.base == pytest.approx(pipeline.predict_proba(table)[:, 1].mean(), abs=1e-9)


def test_calibrated_models_are_enumerated_on_the_probability(numbers) -> None:
    table, target, _ = numbers
    calibrated = CalibratedClassifierCV(LinearSVC(), cv=3).fit(table, target)
    found = attribute_model(bind("m", calibrated), YES, table.iloc[[5]], table.head(30))
    assert (found.method, found.exact, found.output) == ("enumeration", True, "probability")
    agrees(found, lambda rows: calibrated.predict_proba(rows)[:, 1], table.iloc[[5]], table.head(30))


def test_a_vote_is_the_sum_of_its_members(numbers) -> None:
    table, target, amount = numbers
    vote = VotingClassifier(
        [("f", RandomForestClassifier(4, random_state=0)), ("t", DecisionTreeClassifier(max_depth=2, random_state=0))],
        voting="soft",
        weights=[2, 1],
    ).fit(table, target)
    found = attribute_model(bind("m", vote), YES, table.iloc[[5]], table)
    assert (found.method, found.exact) == ("sum", True)
    agrees(found, lambda rows: vote.predict_proba(rows)[:, 1], table.iloc[[5]], table)
    mean = VotingRegressor([("l", LinearRegression()), ("f", RandomForestRegressor(3, random_state=0))]).fit(
        table, amount
    )
    agrees(attribute_model(bind("m", mean), NUMBER, table.iloc[[5]], table), mean.predict, table.iloc[[5]], table)


class NamedOnly:
    """A stand-in for a column-by-name pipeline: it refuses arrays, other names and other types."""

    classes_ = ("no", "yes")

    def predict_proba(self, table: pd.DataFrame) -> np.ndarray:
        if not isinstance(table, pd.DataFrame) or list(table.columns) != ["job", "income_k"]:
            raise TypeError("needs the named table")
        if not all(isinstance(value, str) for value in table["job"]):
            raise TypeError("job must be text")
        if table["income_k"].dtype != np.int64:
            raise TypeError("income_k must stay an integer")
        share = 0.2 + 0.5 * (table["job"] == "driver") - 0.002 * table["income_k"].astype(float)
        return pd.DataFrame({"no": 1 - share, "yes": share}).to_numpy()


ROW = pd.DataFrame({"job": ["driver"], "income_k": [30]})
BACKGROUND = pd.DataFrame({"job": ["clerk", "nurse", "driver", "clerk"], "income_k": [20, 40, 60, 40]})


@pytest.mark.parametrize("method", [None, "enumeration", "permutation", "kernel-shap"])
def test_a_model_that_needs_a_named_table(method: str | None) -> None:
    found = attribute_model(bind("risk", NamedOnly()), YES, ROW, BACKGROUND, method=method)
    assert found.base == pytest.approx(0.2450, abs=1e-9)
    assert found.phi == pytest.approx({"job": 0.3750, "income_k": 0.0200}, abs=1e-9)
    assert found.value == pytest.approx(0.6400, abs=1e-9)


def test_lime_reaches_a_model_with_its_own_columns() -> None:
    first, second = (attribute_model(bind("risk", NamedOnly()), YES, ROW, BACKGROUND, method="lime") for _ in range(2))
    assert first == second
    assert (first.method, first.exact, first.seed) == ("lime", False, 0)
    assert first.phi["job"] == pytest.approx(0.5, abs=0.05)
    assert first.base + sum(first.phi.values()) == pytest.approx(first.value, abs=1e-9)


def test_lime_keeps_types_and_domains() -> None:
    rng = np.random.default_rng(0)
    background = pd.DataFrame(
        {"age": rng.integers(20, 60, 80), "job": rng.choice(["clerk", "nurse"], 80), "owner": rng.random(80) < 0.5}
    )
    row = pd.DataFrame({"age": [59], "job": ["nurse"], "owner": [True]})

    def function(rows: pd.DataFrame) -> pd.Series:
        assert rows.dtypes.tolist() == background.dtypes.tolist()
        assert rows["age"].between(18, 60).all()
        assert set(rows["job"]) <= {"clerk", "nurse"}
        return rows["owner"] * 0.5

    found = attribute_model(
        bind("m", function), YES, row, background, method="lime", domains={"age": (18.0, 60.0)}, seed=3
    )
    assert list(found.phi) == ["age", "job", "owner"]
    assert found.phi["owner"] == pytest.approx(0.5, abs=0.05)
    assert found.seed == 3


@pytest.mark.parametrize("trial", range(20))
def test_the_conjunction_formula_is_brute_force(trial: int) -> None:
    rng = np.random.default_rng(trial)
    row, background = rng.random(5) < 0.6, rng.random((9, 5)) < 0.6
    base, phi = conjunction_shapley(row, background)
    names = list("abcde")
    table, one = pd.DataFrame(background, columns=names), pd.DataFrame(row[None, :], columns=names)
    naive = naive_shapley(lambda rows: rows[names].to_numpy(dtype=bool).all(axis=1), one, table)
    assert base == pytest.approx(naive[0], abs=1e-12)
    np.testing.assert_allclose(phi, list(naive[1].values()), atol=1e-12)


@pytest.mark.parametrize("trial", range(5))
def test_enumeration_is_the_definition(trial: int) -> None:
    rng = np.random.default_rng(trial)
    background = pd.DataFrame(rng.integers(0, 3, (12, 4)), columns=list("abcd"))
    row = pd.DataFrame(rng.integers(0, 3, (1, 4)), columns=list("abcd"))

    def function(rows: pd.DataFrame) -> np.ndarray:
        return ((rows["a"] > rows["b"]) * 2.0 + rows["c"] * rows["a"]).to_numpy(dtype=float)

    base, phi = naive_shapley(function, row, background)
    for exact in (enumeration_shapley, difference_shapley):
        found = exact(function, row, background)
        assert found[0] == pytest.approx(base)
        np.testing.assert_allclose(found[1], list(phi.values()), atol=1e-12)
        assert found[2] == function(row)[0]


def test_permutation_sampling_comes_as_near_as_asked() -> None:
    rng = np.random.default_rng(0)
    background = pd.DataFrame(rng.normal(size=(40, 5)), columns=list("abcde"))

    def function(rows: pd.DataFrame) -> np.ndarray:
        return (rows["a"] * rows["b"] * rows["c"] + np.maximum(rows["a"] + rows["d"], rows["e"])).to_numpy()

    row = background.iloc[[3]] + 1.0
    exact = enumeration_shapley(function, row, background)
    found = permutation_shapley(function, row, background, seed=1, standard_error=0.02)
    assert found.standard_error <= 0.02
    assert np.abs(found.phi - exact[1]).max() < 4 * found.standard_error
    assert found.base == pytest.approx(exact[0])
    assert found.base + found.phi.sum() == pytest.approx(found.value)
    ends = found.intervals(list("abcde"))
    for name, low, high in ((name, *ends[name]) for name in ends):
        assert (low + high) / 2 == pytest.approx(found.phi["abcde".index(name)])
    assert all(high - low <= 2 * 1.98 * found.standard_error for low, high in ends.values())


def test_nineteen_of_twenty_intervals_hold_the_exact_value() -> None:
    background = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 4)), columns=list("abcd"))

    def function(rows: pd.DataFrame) -> np.ndarray:
        return (rows["a"] * rows["b"] * rows["c"] * rows["d"] + np.maximum(rows["a"], rows["c"])).to_numpy()

    row = background.iloc[[3]] + 1.0
    _, phi, _ = enumeration_shapley(function, row, background)
    runs = [permutation_shapley(function, row, background, seed, 10.0, most_rows=600) for seed in range(60)]
    found = [run.intervals(list("abcd")) for run in runs]
    held = [low <= exact <= high for ends in found for (low, high), exact in zip(ends.values(), phi, strict=True)]
    assert 0.9 <= np.mean(held) <= 0.99
    ends = t_intervals(["x"], np.array([1.0]), np.array([0.5]), 9)
    assert ends["x"] == pytest.approx((-0.1311, 2.1311), abs=1e-4)


def test_more_than_twelve_columns_are_sampled_and_the_same_call_gives_the_same_answer() -> None:
    rng = np.random.default_rng(0)
    background = pd.DataFrame(rng.normal(size=(30, 14)), columns=[f"x{place}" for place in range(14)])
    model = bind("m", lambda rows: (rows["x0"] * rows["x1"] + rows["x2"]).to_numpy())
    first, second = (attribute_model(model, NUMBER, background.iloc[[0]], background, seed=4) for _ in range(2))
    assert first == second
    assert (first.method, first.exact, first.seed, first.background_rows) == ("permutation", False, 4, 30)
    assert first.base + sum(first.phi.values()) == pytest.approx(first.value, abs=1e-9)
    with pytest.raises(ModelError, match="14 columns differ"):
        attribute_model(model, NUMBER, background.iloc[[0]], background, method="enumeration")


def test_columns_that_never_differ_play_no_part() -> None:
    background = pd.DataFrame({f"x{place}": [1.0, 1.0] for place in range(14)} | {"y": [0.0, 4.0]})
    found = attribute_model(bind("m", lambda rows: rows["y"] * 2), NUMBER, background.iloc[[1]], background)
    assert (found.method, found.exact) == ("enumeration", True)
    assert (found.base, found.phi["y"], found.value) == (4.0, 4.0, 8.0)


def test_a_label_without_probability_is_attributed_as_predicted_or_not() -> None:
    background = pd.DataFrame({"x": [0, 1, 2, 3]})
    model = bind("m", lambda rows: np.where(rows["x"] > 1, "high", "low"))
    found = attribute_model(model, ModelOutput("label", "high"), pd.DataFrame({"x": [3]}), background)
    assert (found.output, found.base, found.phi) == ("value", 0.5, {"x": 0.5})


def test_no_background_is_asked_for() -> None:
    with pytest.raises(DataError, match="give a background"):
        attribute_model(bind("risk", NamedOnly()), YES, ROW, BACKGROUND.head(0))


def test_a_method_that_does_not_fit_says_so() -> None:
    with pytest.raises(ModelError, match="no attribution by linear"):
        attribute_model(bind("risk", NamedOnly()), YES, ROW, BACKGROUND, method="linear")


def test_a_step_that_fails_is_the_failure_of_its_model() -> None:
    """An imputer that has learned numbers refuses truth values."""
    table = pd.DataFrame({"f": [True, False, True, False]})
    pipeline = make_pipeline(SimpleImputer(strategy="most_frequent"), LogisticRegression())
    model = bind("m", pipeline.fit(table.astype(float), [0, 0, 1, 1]))
    with pytest.raises(ModelError, match="model m failed: ValueError: SimpleImputer does not support"):
        attribute_model(model, ModelOutput("probability", 1), table.iloc[[0]], table)
