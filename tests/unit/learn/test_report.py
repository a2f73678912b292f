"""Reports and sweeps say what the learners' own measures say."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from decisionflow.learn import BayesianRuleListClassifier, CompanionRuleListClassifier
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.report import report
from decisionflow.learn.sweep import SweepPoint, sweep, sweep_frame

RNG = np.random.default_rng(0)
TABLE = RNG.integers(0, 2, (400, 6))
LABELS = (TABLE[:, 0] | TABLE[:, 1]) ^ (RNG.random(400) < 0.1)
TRAINING, HELD_OUT = (TABLE[:300], LABELS[:300]), (TABLE[300:], LABELS[300:])


def learner(**settings: object) -> CompanionRuleListClassifier:
    black_box = DecisionTreeClassifier(max_depth=3, random_state=0).fit(*TRAINING)
    return CompanionRuleListClassifier(black_box, iterations=2000, **settings)


def test_a_report_shows_rules_and_held_out_trade_off() -> None:
    fitted = learner().fit(*TRAINING)
    told = report(fitted, *HELD_OUT, title="<Re-offending>")
    assert told.trade_off.to_text() == fitted.trade_off(*HELD_OUT).to_text()
    assert fitted.rule_list_[0].condition.text in told.to_text()
    assert "On 100 held-out rows:" in told.to_text()
    assert "nothing proved" in told.to_text()
    page = told.to_html()
    assert "&lt;Re-offending&gt;" in page
    assert "<Re-offending>" not in page
    assert "<svg" in page
    assert [line.get_label() for line in told.plot().axes[0].lines] == ["accuracy", "fidelity", "black box"]


def test_a_sweep_measures_each_list_on_held_out_rows() -> None:
    seen: list[SweepPoint] = []
    points = sweep(learner(alpha=0.5), TRAINING, HELD_OUT, (0.3, 0.9), seen.append)
    assert seen == list(points)
    for point in points:
        assert point.learner is not None
        assert point.point == point.learner.trade_off(*HELD_OUT)[-1]
        assert point.learner.training_trade_off_[-1].transparency >= point.min_transparency
    assert sweep_frame(points)["min_transparency"].tolist() == [0.3, 0.9]


def test_a_sweep_keeps_what_is_proved_infeasible() -> None:
    settings = {"max_conditions": 2, "min_support": 0.0, "negations": False, "thresholds": None}
    table = np.where(np.arange(300)[:, None] < 150, TABLE[:300], 0)
    black_box = DecisionTreeClassifier(max_depth=3).fit(table, LABELS[:300])
    lists = CompanionRuleListClassifier(black_box, iterations=200, **settings)
    (point,) = sweep(lists, (table, LABELS[:300]), HELD_OUT, (0.9,))
    assert point.infeasible.startswith("infeasible:")
    assert point.learner is None


def test_a_learner_without_a_minimum_transparency_cannot_be_swept() -> None:
    with pytest.raises(SettingError, match="takes no min_transparency"):
        sweep(BayesianRuleListClassifier(), TRAINING, HELD_OUT, (0.5,))
