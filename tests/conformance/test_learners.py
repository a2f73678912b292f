"""Every registered learner keeps scikit-learn's promises, and its policy text the learner's own answers."""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import decisionflow
from decisionflow.learn import LEARNERS, HybridClassifier

NEEDS_EXTRA = {"BayesianRuleListClassifier": "imodels"}
SMALL_SEARCH = {"max_conditions": 1, "n_bins": 3, "negations": False, "regularization": 0.02, "max_rules": 3}
QUICK: dict[str, dict[str, Any]] = {
    "BayesianRuleListClassifier": {"iterations": 100, "chains": 2},
    "CompanionRuleListClassifier": {"iterations": 2000},
    "HybridRuleSetClassifier": {"iterations": 2000},
    "HybridCORELSClassifier": SMALL_SEARCH,
    "CORELSClassifier": SMALL_SEARCH,
}


def learner(name: str) -> Any:
    return getattr(import_module("decisionflow.learn"), name)(**QUICK.get(name, {}))


def installed(name: str) -> bool:
    return name not in NEEDS_EXTRA or find_spec(NEEDS_EXTRA[name]) is not None


USABLE = [name for _, name, _ in LEARNERS if installed(name)]


@parametrize_with_checks([learner(name) for name in USABLE])
def test_scikit_learns_own_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("name", [name for _, name, _ in LEARNERS])
def test_a_learner_is_a_hybrid_classifier_that_only_stores(name: str) -> None:
    made = learner(name)
    assert isinstance(made, HybridClassifier)
    given = inspect.signature(type(made)).parameters
    assert {"black_box", "max_conditions", "min_support", "negations", "n_bins", "random_state", "progress"} <= set(
        given
    )
    assert set(vars(made)) == set(given)
    assert all(parameter in (type(made).__doc__ or "") + (HybridClassifier.__doc__ or "") for parameter in given)


@pytest.mark.parametrize("name", [name for _, name, _ in LEARNERS if not installed(name)])
def test_a_learner_without_its_extra_says_which(name: str) -> None:
    with pytest.raises(decisionflow.DecisionFlowError, match=r"pip install 'decisionflow\[baselines\]'"):
        learner(name).fit([[0], [1]], [0, 1])


def test_no_learner_is_left_out() -> None:
    package = import_module("decisionflow.learn")
    modules = [import_module(f"decisionflow.learn.{found.name}") for found in iter_modules(package.__path__)]
    classes = {value for module in modules for value in vars(module).values() if inspect.isclass(value)}
    learners = {each for each in classes if issubclass(each, HybridClassifier)}
    parents = {parent for each in learners for parent in each.__bases__}
    assert {each.__name__ for each in learners - parents} == {name for _, name, _ in LEARNERS}


@pytest.mark.parametrize("name", USABLE)
def test_the_policy_gives_the_learners_own_answers(name: str) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, 300),
            "Monthly Usage": np.round(rng.gamma(2, 30, 300), 2),
            "charge": rng.choice(["felony", "in", "misdemeanor"], 300),
            "job": rng.random(300) < 0.4,
        }
    )
    labels = np.where((table["age"] < 35) ^ (rng.random(300) < 0.2), "yes", "no")
    fitted = learner(name).fit(table, labels)
    text = fitted.to_policy("reoffends")
    policy = decisionflow.parse_policy(text, models={"black_box": fitted.black_box_})
    assert policy.text == text
    for transparency in (None, 0.0, 0.3, *fitted.training_trade_off_["transparency"]):
        result = policy.evaluate(table, transparency=transparency)["reoffends"]
        answers, sources = fitted.predict_with_source(table, transparency)
        assert list(result.value) == list(answers)
        if fitted.rule_list_:
            assert list(result.rule) == list(sources)
