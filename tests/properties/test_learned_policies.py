"""A learned policy file is read back, formats to itself and answers as its learner, whatever the columns are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import decisionflow
from decisionflow.learn import CompanionRuleListClassifier, HybridRuleSetClassifier
from decisionflow.learn.classifier import HybridClassifier

NAMES = st.sampled_from(
    ["age", "Monthly Usage", "in", "rule", "tick`ed", "größe", "1st", "no", "x.y", "black box", "_"]
)
WORDS = st.sampled_from(["no", "yes", "in", "a b", 'quo"te', "FELONY", "ä", "3", "-", "true", "age"])


def column(kind: str, rows: int, rng: np.random.Generator, words: list[str]) -> Any:
    if kind == "vocabulary":
        return rng.choice(words, rows)
    if kind == "boolean":
        return rng.random(rows) < 0.5
    if kind == "integer":
        return rng.integers(-3, 9, rows)
    if kind == "single":
        return rng.normal(size=rows).astype(np.float32)
    return np.round(rng.normal(0, 1000, rows), 3)


@st.composite
def tables(draw: st.DrawFn) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    kinds = [draw(st.sampled_from(["vocabulary", "boolean", "integer", "single", "double"])) for _ in names]
    words = draw(st.lists(WORDS, min_size=2, max_size=4, unique=True))
    frame = pd.DataFrame({name: column(kind, 80, rng, words) for name, kind in zip(names, kinds, strict=True)})
    if draw(st.booleans()):
        frame = frame.mask(rng.random(frame.shape) < 0.15)
    outcomes = draw(st.lists(WORDS, min_size=2, max_size=2, unique=True))
    labels = np.where(rng.random(80) < 0.5, *outcomes)
    labels[:2] = outcomes
    return frame, labels


@pytest.mark.parametrize("learner", [CompanionRuleListClassifier, HybridRuleSetClassifier])
@settings(max_examples=25, deadline=None)
@given(tables(), st.floats(0, 1))
def test_the_file_answers_as_the_learner(
    learner: type[HybridClassifier], data: tuple[pd.DataFrame, np.ndarray], transparency: float
) -> None:
    frame, labels = data
    answers = np.roll(labels, 1)
    fitted = learner(answers, iterations=300, min_support=0.02).fit(frame, labels)
    text = fitted.to_policy("learned")
    policy = decisionflow.parse_policy(text, models={"black_box": lambda rows: answers[rows.index]})
    assert policy.text == text
    for share in (None, transparency):
        result = policy.evaluate(frame.reset_index(drop=True), transparency=share)["learned"]
        expected, sources = fitted.predict_with_source(frame, share)
        covered = sources != "black_box"
        assert list(np.asarray(result.value)[covered]) == list(expected[covered])
        if fitted.rule_list_:
            assert list(np.asarray(result.rule)[covered]) == list(sources[covered])
            others = np.asarray(result.rule)[~covered]
            assert set(others) <= {"black_box", None, ""}
