"""What learners share that search at random, step by step, beside a black box's answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.candidates import Candidates
from decisionflow.learn.classifier import HybridClassifier, Labels, RuleChoice
from decisionflow.learn.learning_errors import SettingError

Floats = NDArray[np.float64]


@dataclass(eq=False, repr=False, kw_only=True)
class LocalSearchClassifier(HybridClassifier):
    """Rules found by stochastic local search, of which nothing is proved.

    iterations: the steps of the search. temperature: C_0, how readily worse rules are accepted. max_rules: the most
    rules. min_transparency: the least share of the training rows that they cover. time_limit: CPU seconds after which
    the best rules so far are returned.
    """

    iterations: int = 50_000
    temperature: float = 0.001
    max_rules: int = 20
    min_transparency: float = 0.0
    time_limit: float | None = None

    def _learn_rules(
        self,
        candidates: Candidates,
        labels: Labels,
        weights: Floats,
        black_box: Labels | None,
        rng: np.random.Generator,
    ) -> Sequence[RuleChoice]:
        self._check_settings()
        if black_box is None:
            raise SettingError(f"{type(self).__name__} learns beside a black box's answers")
        return self._learn_beside(black_box, candidates, labels, weights, rng)

    def _learn_beside(
        self, black_box: Labels, candidates: Candidates, labels: Labels, weights: Floats, rng: np.random.Generator
    ) -> Sequence[RuleChoice]:
        """The rules in order, as `_learn_rules` says."""
        raise NotImplementedError

    def _check_settings(self) -> None:
        if self.iterations < 0 or self.max_rules < 1 or not self.temperature > 0:
            raise SettingError("iterations must be at least 0, max_rules at least 1, and temperature above 0")
        if not 0 <= self.min_transparency <= 1:
            raise SettingError(f"min_transparency is a share from 0 to 1, not {self.min_transparency}")
        if self.time_limit is not None and not self.time_limit >= 0:
            raise SettingError(f"time_limit counts CPU seconds from 0, not {self.time_limit}")
