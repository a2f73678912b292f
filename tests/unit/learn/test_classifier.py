"""What every learner promises: labels of any kind, missing values, transparency, black boxes of any sort."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import decisionflow
from decisionflow.errors import DataError, ModelError
from decisionflow.learn import CompanionRuleListClassifier, HybridClassifier
from decisionflow.learn.candidates import Candidates
from decisionflow.learn.classifier import RuleChoice
from decisionflow.learn.learning_errors import LearningDataError, SettingError
from decisionflow.learn.policy_words import label_word


class FirstCandidates(HybridClassifier):
    """Takes the first candidates in order, with the labels given: a learner whose list is known by hand."""

    def __init__(self, black_box: Any = None, outcomes: Sequence[int] = (1, 0), second: bool = False) -> None:
        self.black_box = black_box
        self.outcomes = outcomes
        self.second = second
        self.max_conditions, self.min_support, self.negations, self.n_bins = 1, 0.0, False, 7
        self.thresholds, self.max_candidates, self.random_state, self.progress = None, None, 0, None

    def _learn_rules(self, candidates: Candidates, labels: Any, weights: Any, black_box: Any, rng: Any) -> Any:
        self.seen_black_box_ = black_box
        return [RuleChoice(*pair) for pair in zip(candidates.conditions, self.outcomes, strict=False)]

    def _black_box_comes_first(self) -> bool:
        return not self.second


TABLE = pd.DataFrame({"a": [1, 1, 0, 0, 0, 0, 1, 0], "b": [0, 1, 1, 1, 0, 0, 0, 0]})
LABELS = np.array(["yes", "yes", "no", "yes", "no", "yes", "no", "no"])
ANSWERS = np.array(["yes", "no", "no", "no", "no", "yes", "yes", "yes"])


def fitted() -> FirstCandidates:
    return FirstCandidates(ANSWERS).fit(TABLE, LABELS)


def test_rules_are_measured_on_what_they_take() -> None:
    first, second = fitted().rule_list_
    assert (first.name, first.text) == ("r1", "if a = 1 then yes")
    assert (first.coverage, first.accuracy, first.black_box) == (3 / 8, 2 / 3, 1 / 3)
    assert (second.coverage, second.accuracy, second.black_box) == (2 / 8, 1 / 2, 1 / 2)
    frame = fitted().rules_frame()
    assert frame["transparency"].tolist() == [3 / 8, 5 / 8]
    assert frame["condition"].tolist() == ["a = 1", "b = 1"]


def test_labels_and_sources() -> None:
    labels, sources = fitted().predict_with_source(TABLE)
    assert labels.tolist() == ["yes", "yes", "no", "no", "no", "yes", "yes", "yes"]
    assert sources.tolist() == ["r1", "r1", "r2", "r2", "black_box", "black_box", "r1", "black_box"]


@pytest.mark.parametrize(
    ("transparency", "rules"), [(None, 2), (1, 2), (0, 0), (0.2, 0), (3 / 8, 1), (0.5, 1), (5 / 8, 2), (0.99, 2)]
)
def test_transparency_uses_the_first_rules_whose_coverages_add_up_to_it(transparency: Any, rules: int) -> None:
    _, sources = fitted().predict_with_source(TABLE, transparency)
    assert set(sources) - {"black_box"} == {"r1", "r2"} - {f"r{number}" for number in range(rules + 1, 3)}


def test_transparency_outside_its_range_is_refused() -> None:
    with pytest.raises(SettingError, match="from 0 to 1"):
        fitted().predict(TABLE, transparency=1.5)


def test_a_stochastic_list_answers_as_often_as_asked() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.integers(0, 2, 4000), "b": rng.integers(0, 2, 4000), "c": rng.random(4000)})
    labels = rng.integers(0, 2, 4000)
    learner = FirstCandidates(DecisionTreeClassifier(max_depth=2)).fit(table, labels)
    reached = np.cumsum([rule.coverage for rule in learner.rule_list_])
    wanted = (reached[0] + reached[1]) / 2
    _, sources = learner.predict_with_source(table, wanted, stochastic=True, seed=3)
    assert (sources != "black_box").mean() == pytest.approx(wanted, abs=0.03)
    again = learner.predict_with_source(table[::-1], wanted, stochastic=True, seed=3)[1][::-1]
    assert (sources == again).all()
    assert (sources != learner.predict_with_source(table, wanted, stochastic=True, seed=4)[1]).any()
    assert (sources != learner.predict_with_source(table, wanted, stochastic=True, seed=-1)[1]).any()
    assert set(learner.predict_with_source(table, 0, stochastic=True)[1]) == {"black_box"}


def test_probabilities_are_the_rules_accuracies_and_the_black_boxs_own() -> None:
    probabilities = fitted().predict_proba(TABLE)
    np.testing.assert_allclose(probabilities[0], [1 / 3, 2 / 3])
    np.testing.assert_allclose(probabilities[4], [1, 0])
    assert (np.array(["no", "yes"])[probabilities.argmax(axis=1)] == fitted().predict(TABLE)).all()
    forest = RandomForestClassifier(10, random_state=0).fit(TABLE, LABELS)
    learner = FirstCandidates(forest).fit(TABLE, LABELS)
    np.testing.assert_allclose(learner.predict_proba(TABLE)[4:6], forest.predict_proba(TABLE)[4:6])


@pytest.mark.parametrize("labels", [("no", "yes"), (0, 1), (-1, 1), (False, True), (1.0, 2.0)])
def test_any_two_labels(labels: tuple[Any, Any]) -> None:
    target = np.where(LABELS == "yes", labels[1], labels[0])
    learner = CompanionRuleListClassifier(iterations=500).fit(TABLE, target)
    assert set(learner.predict(TABLE)) <= set(labels)
    assert learner.classes_.tolist() == list(labels)


def test_numbers_labels_booleans_and_missing_values() -> None:
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {
            "age": np.where(rng.random(300) < 0.2, np.nan, rng.integers(18, 80, 300)),
            "charge": rng.choice(["felony", "misdemeanor", None], 300),
            "job": pd.array(rng.choice([True, False, None], 300), dtype="boolean"),
            "kind": pd.Categorical(rng.choice(["x", "y"], 300)),
            "empty": np.full(300, np.nan),
            "nothing": np.full(300, None),
            "constant": np.ones(300),
        }
    )
    labels = np.where((table["age"] < 40) | (table["charge"] == "felony"), "yes", "no")
    learner = CompanionRuleListClassifier(iterations=3000).fit(table, labels)
    assert learner.score(table, labels) > 0.8
    missing = table.iloc[:1].assign(age=np.nan, charge=None, job=pd.array([None], dtype="boolean"))
    texts = [rule.condition.text for rule in learner.rule_list_ if "kind" not in rule.condition.features]
    covering = [rule for rule in learner.rule_list_ if rule.condition.text in texts and "constant" not in rule.text]
    columns = {"age": np.array([np.nan]), "charge": np.array([None], dtype=object), "job": np.array([np.nan])}
    assert not any(rule.condition.covers(columns)[0] for rule in covering)
    assert learner.predict(missing)[0] in {"yes", "no"}


def test_a_fitted_black_box_is_used_as_it_is_and_an_unfitted_one_is_cloned() -> None:
    fitted_model = LogisticRegression().fit(TABLE, LABELS)
    assert FirstCandidates(fitted_model).fit(TABLE, LABELS).black_box_ is fitted_model
    unfitted = LogisticRegression()
    learner = FirstCandidates(unfitted).fit(TABLE, LABELS)
    assert not hasattr(unfitted, "coef_")
    assert hasattr(learner.black_box_, "coef_")


def test_a_black_box_that_comes_second_is_not_seen() -> None:
    learner = FirstCandidates(LogisticRegression(), second=True).fit(TABLE, LABELS)
    assert learner.seen_black_box_ is None
    assert hasattr(learner.black_box_, "coef_")


def test_predictions_as_the_black_box_are_asked_for_on_other_rows_only() -> None:
    learner, other = fitted(), TABLE.assign(a=0)
    assert learner.trade_off(TABLE, LABELS)[0].accuracy == (ANSWERS == LABELS).mean()
    with pytest.raises(LearningDataError, match="black_box_predictions="):
        learner.predict(other)
    assert learner.predict(other, black_box_predictions=ANSWERS)[0] == "yes"
    assert learner.predict(other[1:4]).tolist() == ["no", "no", "no"]


def test_a_black_box_with_other_labels_or_one_that_fails_is_named() -> None:
    class Failing:
        def predict(self, table: Any) -> Any:
            raise RuntimeError("no connection")

    with pytest.raises(ModelError, match="should answer no or yes, but answered maybe"):
        FirstCandidates(np.array(["maybe"] * 8)).fit(TABLE, LABELS)
    with pytest.raises(ModelError, match="Failing failed to predict: no connection"):
        FirstCandidates(Failing()).fit(TABLE, LABELS)
    with pytest.raises(LearningDataError, match="one label for each of 8 rows"):
        FirstCandidates(ANSWERS[:3]).fit(TABLE, LABELS)


@pytest.mark.parametrize(
    ("table", "labels", "message"),
    [
        (TABLE, ["yes"] * 8, "two classes, but every row is of class yes"),
        (TABLE, list("abcabcab"), "Only binary classification"),
        (TABLE, ["yes", None, *["no"] * 6], "missing values"),
        (TABLE.assign(a=np.inf), LABELS, "`a` holds an infinite number"),
        (TABLE[:5], LABELS, "5 rows and y has 8"),
        (TABLE.set_axis(["a", "a"], axis=1), LABELS, "own name"),
    ],
)
def test_bad_training_data_are_refused_in_words(table: pd.DataFrame, labels: Any, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        FirstCandidates().fit(table, labels)
    assert isinstance(raised.value, ValueError)


def test_a_weight_of_two_is_a_row_twice_and_of_zero_none() -> None:
    weights = np.array([2, 1, 0, 3, 1, 1, 1, 0])
    twice = np.repeat(np.arange(8), weights)
    weighted = CompanionRuleListClassifier(iterations=1000).fit(TABLE, LABELS, weights)
    repeated = CompanionRuleListClassifier(iterations=1000).fit(TABLE.iloc[twice], LABELS[twice])
    assert weighted.rule_list_ == repeated.rule_list_
    assert (weighted.predict(TABLE) == repeated.predict(TABLE)).all()
    with pytest.raises(LearningDataError, match="negative"):
        CompanionRuleListClassifier().fit(TABLE, LABELS, -np.ones(8))


def test_a_policy_by_hand() -> None:
    text = fitted().to_policy("Reoffends", decision="again", title="Who", data_date=datetime.date(2026, 1, 31))
    assert text == (
        'policy Reoffends "Who"\n'
        "\n"
        "# Learned by FirstCandidates from data of 2026-01-31, 8 rows.\n"
        "# What the first rules give on these rows, the other rows left to the black box:\n"
        "# rules  transparency  accuracy  fidelity  black box on covered\n"
        "#     0         0.00%    50.00%   100.00%                     -\n"
        "#     1        37.50%    62.50%    87.50%                33.33%\n"
        "#     2        62.50%    62.50%    87.50%                40.00%\n"
        "\n"
        "feature a : integer\n"
        "feature b : integer\n"
        "\n"
        "model black_box : { no, yes } using a, b\n"
        "\n"
        "decision again : { no, yes }\n"
        "  companion of black_box\n"
        "    rule r1: if a = 1 then yes stats (coverage 37.5%, accuracy 66.7%, black_box 33.3%)\n"
        "    rule r2: if b = 1 then no stats (coverage 25%, accuracy 50.0%, black_box 50.0%)\n"
    )


def test_a_policy_whose_decision_is_named_like_a_column_is_refused() -> None:
    with pytest.raises(SettingError, match="`a` would name two things"):
        fitted().to_policy("a")


@pytest.mark.parametrize(
    ("labels", "written"),
    [((0, 1), '{ "0", "1" }'), ((False, True), '{ "false", "true" }'), ((1.0, 2.0), '{ "1", "2" }')],
)
def test_labels_are_written_as_policies_read_a_models_labels(labels: tuple[Any, Any], written: str) -> None:
    answers = np.where(ANSWERS == "yes", labels[1], labels[0])
    learner = FirstCandidates(answers).fit(TABLE, np.where(LABELS == "yes", labels[1], labels[0]))
    assert f"model black_box : {written} using a, b\n" in learner.to_policy("again")


def answers_of_both(table: pd.DataFrame, target: Any = None, transparency: float | None = None) -> tuple[Any, Any]:
    """What a learner with its own forest says of its training rows, and what its policy says."""
    learner = CompanionRuleListClassifier(iterations=300).fit(table, LARGER_LABELS if target is None else target)
    policy = decisionflow.parse_policy(learner.to_policy("again"), models={"black_box": learner.black_box_})
    found = policy.evaluate(table, transparency=transparency)["again"].value
    return [label_word(label) for label in learner.predict(table, transparency)], [label_word(label) for label in found]


RNG = np.random.default_rng(5)
LARGER = pd.DataFrame({"age": RNG.integers(18, 80, 120), "level": RNG.integers(0, 4, 120)})
LARGER_LABELS = np.where((LARGER["age"] < 40) ^ (LARGER["level"] == 2) ^ (RNG.random(120) < 0.1), "yes", "no")
CATEGORIES: list[list[Any]] = [
    [0, 1, 2, 3],
    [0.1, 0.25, 0.5, 1.0],
    ["a", "", "b", "c"],
    ["e\u0301", "\u00e9x", "b", "c"],
]


@pytest.mark.parametrize("labels", CATEGORIES)
@pytest.mark.parametrize("dtype", ["category", None])
def test_columns_mean_the_same_to_forest_rules_and_policy(labels: list[Any], dtype: Any) -> None:
    level = pd.Series(np.array(labels, dtype=object)[LARGER["level"]], dtype=dtype)
    said, found = answers_of_both(LARGER.assign(level=level), transparency=0.3)
    assert said == found


def test_categories_that_are_numbers_are_numbers_and_not_cut() -> None:
    table = pd.DataFrame({"level": pd.Categorical([3, 3, 7, 7, 5, 5, 7, None], categories=[3, 5, 7, 9])})
    learner = FirstCandidates(ANSWERS, outcomes=(1, 0, 1)).fit(table, LABELS)
    assert [rule.condition.text for rule in learner.rule_list_] == ["level = 3", "level = 5", "level = 7"]
    assert "feature level : integer optional\n" in learner.to_policy("again")
    assert learner.predict_with_source(pd.DataFrame({"level": [5, 3]}))[1].tolist() == ["r2", "r1"]


def test_labels_of_a_categorical_column_are_declared_though_no_row_has_them() -> None:
    table = pd.DataFrame({"kind": pd.Categorical(list("aabbaabb"), categories=["z", "b", "a"])})
    assert "feature kind : { a, b, z }\n" in FirstCandidates(ANSWERS).fit(table, LABELS).to_policy("again")


def test_columns_that_policies_cannot_read_are_refused() -> None:
    with pytest.raises(LearningDataError, match="`age` holds interval values"):
        FirstCandidates(ANSWERS).fit(pd.DataFrame({"age": pd.cut(pd.Series(range(8)), 2)}), LABELS)
    with pytest.raises(LearningDataError, match="`id` holds whole numbers beyond 64 bits"):
        FirstCandidates(ANSWERS).fit(pd.DataFrame({"id": np.arange(8, dtype=np.uint64) + 2**63}), LABELS)


@pytest.mark.parametrize("names", [[0, 1], [("a", 1), ("a", 2)]])
def test_columns_need_not_be_named_by_text(names: list[Any]) -> None:
    said, found = answers_of_both(LARGER.set_axis(pd.Index(names), axis=1), transparency=0.0)
    assert said == found


@pytest.mark.parametrize("labels", [(False, True), (0, 1), ("no", "yes")])
def test_labels_may_come_as_objects(labels: tuple[Any, Any]) -> None:
    target = np.array([labels[int(label == "yes")] for label in LARGER_LABELS], dtype=object)
    said, found = answers_of_both(LARGER, target, transparency=0.3)
    assert said == found


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (np.array([1, "a"] * 4, dtype=object), "labels of several kinds"),
        (np.array(["2026-01-01", "2026-01-02"] * 4, dtype="datetime64[D]"), "turn them into text"),
        (np.array([1.5, 2.0] * 4), "turn them into text"),
        (np.array([b"no", b"yes"] * 4), "turn them into text"),
    ],
)
def test_labels_that_no_policy_can_hold_are_refused(target: Any, message: str) -> None:
    with pytest.raises(LearningDataError, match=message):
        FirstCandidates(ANSWERS).fit(TABLE, target)


def test_a_column_may_be_called_black_box() -> None:
    table = TABLE.set_axis(["black_box", "b"], axis=1)
    learner = FirstCandidates(ANSWERS).fit(table, LABELS)
    with pytest.raises(SettingError, match=r"`black_box` would name two things.*black_box_name="):
        learner.to_policy("again")
    text = learner.to_policy("again", black_box_name="forest")
    assert "model forest : { no, yes } using black_box, b\n" in text
    assert "  companion of forest\n" in text


@pytest.mark.parametrize("name", ["", "a\nb"])
def test_a_column_name_that_no_policy_can_write_is_named(name: str) -> None:
    learner = FirstCandidates(ANSWERS).fit(TABLE.set_axis([name, "b"], axis=1), LABELS)
    with pytest.raises(SettingError, match="cannot be written in a policy; rename it"):
        learner.to_policy("again")
    with pytest.raises(SettingError, match="cannot be written in a policy; rename it"):
        FirstCandidates(np.where(ANSWERS == "no", "n\no", "yes")).fit(
            TABLE, np.where(LABELS == "no", "n\no", "yes")
        ).to_policy("again")


def test_a_transparency_that_is_no_number_is_refused() -> None:
    with pytest.raises(SettingError, match="from 0 to 1, not 'half'"):
        fitted().predict(TABLE, transparency="half")  # type: ignore[arg-type]
