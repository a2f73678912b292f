"""What a model's column means: orientation, names, widening, failures of single rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from decisionflow.errors import ModelError
from decisionflow.models.binding import bind
from decisionflow.models.model import Model, same_label
from decisionflow.types import ModelOutput

FRAUD = ModelOutput("score", "fraud")
PROBABILITY = ModelOutput("probability", "yes")


@pytest.fixture
def alert() -> LinearSVC:
    table = pd.DataFrame({"amount": [1, 2, 3, 8, 9, 10] * 4, "new_device": [0, 0, 0, 1, 1, 1] * 4})
    return LinearSVC(random_state=0).fit(table, (["ok"] * 3 + ["fraud"] * 3) * 4)


ROWS = pd.DataFrame({"amount": [9, 2], "new_device": [1, 0]})


def test_a_missing_output_is_named_with_those_that_exist(alert: LinearSVC) -> None:
    with pytest.raises(ModelError, match=r"^model alert gives no probability; it offers label, score$"):
        bind("alert", alert).require(ModelOutput("probability", "fraud"))


def test_a_score_points_to_the_class_that_the_policy_names(alert: LinearSVC) -> None:
    model = bind("alert", alert)
    assert (model.column(ROWS, FRAUD) > 0).tolist() == [True, False]
    np.testing.assert_array_equal(model.column(ROWS, FRAUD), -alert.decision_function(ROWS))
    np.testing.assert_array_equal(model.column(ROWS, ModelOutput("score", "ok")), alert.decision_function(ROWS))


def test_labels_come_as_text(alert: LinearSVC) -> None:
    assert bind("alert", alert).column(ROWS, ModelOutput("label")).tolist() == ["fraud", "ok"]


def test_a_score_without_a_class_is_refused(alert: LinearSVC) -> None:
    with pytest.raises(ModelError, match=r"say which class the score is for.*fraud, ok"):
        bind("alert", alert).require(ModelOutput("score"))


def test_an_unknown_class_is_answered_with_the_classes(alert: LinearSVC) -> None:
    with pytest.raises(ModelError, match="no class fruad; its classes are fraud, ok; did you mean `fraud`"):
        bind("alert", alert).require(ModelOutput("score", "fruad"))


@pytest.mark.parametrize("shown", [False, True])
def test_a_support_vector_machine_is_asked_what_it_really_gives(shown: bool) -> None:
    machine = SVC().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    if shown:
        machine.probability = True
    assert bind("m", machine).offers == ("label", "score")


def test_one_against_one_scores_belong_to_no_class() -> None:
    machine = SVC(decision_function_shape="ovo").fit([[0.0], [1.0], [2.0]], ["a", "b", "c"])
    assert bind("m", machine).offers == ("label",)


def test_a_text_is_not_a_number() -> None:
    classifier = LogisticRegression().fit([[0.0], [1.0]], [0, 1])
    model = bind("m", classifier)
    frame = pd.DataFrame({"x": [0.3]})
    both = [model.column(frame, ModelOutput("probability", label))[0] for label in (0, 1)]
    assert sum(both) == pytest.approx(1.0)
    assert both[1] == classifier.predict_proba([[0.3]])[0, 1]
    with pytest.raises(ModelError, match='no class "1"; its classes are 0, 1; write `1`, as the model has it'):
        model.require(ModelOutput("probability", "1"))


@pytest.mark.parametrize(
    ("known", "asked", "same"),
    [
        ("1", "1", True),
        ("1", 1, False),
        (1, 1.0, True),
        (True, True, True),
        (True, 1, False),
        (1, True, False),
        ("e\u0301", "\u00e9", True),
    ],
)
def test_labels_are_matched_as_the_model_has_them(known: object, asked: object, same: bool) -> None:
    assert same_label(known, asked) is same


def test_columns_are_handed_over_by_name() -> None:
    table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0], "b": [5.0, 1.0, 4.0, 2.0]})
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(table, ["no", "no", "yes", "yes"])
    model = bind("m", pipeline)
    turned = table.assign(further=1.0)[["further", "b", "a"]]
    np.testing.assert_array_equal(model.column(turned, PROBABILITY), pipeline.predict_proba(table)[:, 1])
    with pytest.raises(ModelError, match="needs a column `a`; it was given `aa`, `b`; did you mean `aa`"):
        model.column(table.rename(columns={"a": "aa"}), PROBABILITY)


@pytest.mark.filterwarnings("error")
def test_who_never_saw_names_gets_none() -> None:
    forest = RandomForestClassifier(3, random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["no", "yes"])
    model = bind("m", forest)
    assert model.inputs is None
    assert len(model.column(pd.DataFrame({"p": [0.5], "q": [1]}), PROBABILITY)) == 1
    with pytest.raises(ModelError, match="trained on 2 unnamed columns; it was given 1: `p`"):
        model.column(pd.DataFrame({"p": [0.5]}), PROBABILITY)


class NamedOnly:
    """A stand-in for a column-by-name pipeline: it refuses arrays, other names and other types."""

    classes_ = ("no", "yes")

    def predict_proba(self, table: pd.DataFrame) -> np.ndarray:
        if not isinstance(table, pd.DataFrame) or list(table.columns) != ["job", "income_k"]:
            raise TypeError("needs the named table")
        if not all(isinstance(value, str) for value in table["job"]):
            raise TypeError("job must be text")
        share = 0.2 + 0.5 * (table["job"] == "driver") - 0.002 * table["income_k"].astype(float)
        return pd.DataFrame({"no": 1 - share, "yes": share}).to_numpy()


def test_a_model_that_wants_a_table_gets_one() -> None:
    model = bind("risk", NamedOnly())
    assert model.column(pd.DataFrame({"job": ["driver"], "income_k": [30]}), PROBABILITY)[0] == pytest.approx(0.64)
    assert model.offers == ("probability",)


def test_single_precision_is_widened_to_what_it_prints() -> None:
    given = np.array([0.35, 0.3, 0.9, 1 / 3], dtype=np.float32)
    found = bind("pd", lambda frame: given[: len(frame)]).column(pd.DataFrame({"x": range(4)}), PROBABILITY)
    assert found.tolist() == [0.35, 0.3, 0.9, 0.33333334]


def test_what_a_function_gives_for_a_row_is_its_own_affair() -> None:
    model = bind("m", lambda frame: [0.5, None, 7.0, float("inf"), "0.5"][: len(frame)])
    scored = model.score(pd.DataFrame({"x": range(5)}), PROBABILITY)
    assert scored.values[0] == 0.5
    assert sorted(scored.failures) == [1, 2, 3, 4]
    assert "model m gave a missing value" in str(scored.failures[1])
    assert "gave 7.0 as a probability; expected a number from 0 to 1" in str(scored.failures[2])
    with pytest.raises(ModelError, match="a missing value"):
        model.column(pd.DataFrame({"x": range(5)}), PROBABILITY)


def test_only_the_row_that_breaks_the_model_is_without_a_value() -> None:
    def touchy(frame: pd.DataFrame) -> pd.Series:
        if (frame["x"] == 3).any():
            raise ZeroDivisionError("three")
        return frame["x"] * 2

    model, frame = bind("touchy", touchy), pd.DataFrame({"x": range(8)})
    scored = model.score(frame, ModelOutput("number"))
    assert list(scored.failures) == [3]
    assert str(scored.failures[3]) == "model touchy failed: ZeroDivisionError: three"
    assert np.delete(scored.values, 3).tolist() == [0, 2, 4, 8, 10, 12, 14]
    with pytest.raises(ModelError, match="touchy failed"):
        model.column(frame, ModelOutput("number"))


def test_a_function_sees_each_row_once() -> None:
    seen: list[int] = []

    def recorded(frame: pd.DataFrame) -> pd.Series:
        seen.extend(frame["x"])
        return frame["x"]

    bind("m", recorded).score(pd.DataFrame({"x": range(5)}), ModelOutput("number"))
    assert seen == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("given", [lambda frame: [1.0], lambda frame: 1.0, lambda frame: np.ones((len(frame), 2))])
def test_a_column_of_another_shape_is_refused(given: object) -> None:
    with pytest.raises(ModelError, match="model m gave"):
        bind("m", given).column(pd.DataFrame({"x": [1, 2, 3]}), ModelOutput("number"))


def test_no_row_needs_no_model() -> None:
    def never(frame: pd.DataFrame) -> pd.Series:
        raise AssertionError

    assert bind("m", never).column(pd.DataFrame({"x": []}), ModelOutput("number")).shape == (0,)


def test_numbers_and_truth_values_become_labels() -> None:
    labels = bind("m", lambda frame: np.array([1, 2.0, True, "a", np.str_("b")], dtype=object))
    found = labels.column(pd.DataFrame({"x": range(5)}), ModelOutput("label"))
    assert found.tolist() == ["1", "2", "true", "a", "b"]


@pytest.mark.parametrize(
    ("given", "said"),
    [(3, "cannot be bound to int"), (LogisticRegression, "the class LogisticRegression"), (SVC(), "is not fitted")],
)
def test_what_is_no_model_is_refused(given: object, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        bind("m", given)


def test_a_model_takes_the_policy_s_name() -> None:
    first = bind("first", lambda frame: frame["x"])
    assert isinstance(first, Model)
    assert bind("second", first).name == "second"


def test_a_nullable_column_reaches_the_model_as_plain_numbers() -> None:
    table = pd.DataFrame({"calls": [4, 3, 1, 8], "tenure": [12, 5, 3, 9]})
    model = bind("churn", RandomForestClassifier(3, random_state=0).fit(table, ["no", "no", "yes", "yes"]))
    assert model.takes_missing
    whole = model.column(table, PROBABILITY)
    gap = table.astype("Int64").assign(calls=pd.array([4, None, 1, 8], dtype="Int64"))
    assert np.delete(model.column(gap, PROBABILITY), 1).tolist() == np.delete(whole, 1).tolist()
