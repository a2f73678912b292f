"""What learners share that prove how good their list is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.candidates import Candidates
from decisionflow.learn.classifier import HybridClassifier, Labels, RuleChoice
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.prefix_search import Paradigm, PrefixSearchResult, search_prefix

Floats = NDArray[np.float64]


@dataclass(eq=False, repr=False, kw_only=True)
class CertifiedClassifier(HybridClassifier):
    """A rule list found by exact search, with its certificate.

    Attributes
    ----------
    objective_: of the list, in training; infinite where none was found. lower_bound_: no list can go below it.
    gap_: the difference. certified_: whether the list is proved to be optimal. status_: optimal, feasible (the best
    list so far) or unknown (none found, none ruled out: the rule list is empty and answers by the black box).
    stopped_by_: completed, time limit, memory limit or interrupted. expansions_: prefixes examined.
    cpu_seconds_: of the search, without compilation.
    """

    regularization: float = 0.01
    max_rules: int | None = None
    time_limit: float | None = 5.0
    memory_limit: float | None = 4.0

    def _search(
        self,
        paradigm: Paradigm,
        candidates: Candidates,
        labels: Labels,
        weights: Floats,
        black_box: Labels | None,
        min_transparency: float,
    ) -> Sequence[RuleChoice]:
        self._check_settings()
        result = search_prefix(
            candidates.covers,
            labels,
            paradigm=paradigm,
            black_box=black_box,
            sample_weight=weights,
            min_transparency=min_transparency,
            regularization=self.regularization,
            max_rules=None if self.max_rules is None else int(self.max_rules),
            time_limit=self.time_limit,
            memory_limit=self.memory_limit,
            progress=self.progress,
        )
        self._keep_certificate(result)
        return [RuleChoice(candidates.conditions[place], outcome) for place, outcome in result.prefix or ()]

    def _keep_certificate(self, result: PrefixSearchResult) -> None:
        self.objective_, self.lower_bound_, self.gap_ = result.objective, result.lower_bound, result.gap
        self.certified_, self.status_, self.stopped_by_ = result.certified, result.status, result.stopped_by
        self.expansions_, self.cpu_seconds_ = result.expansions, result.cpu_seconds

    def _check_settings(self) -> None:
        _check(
            0 <= self.regularization < math.inf,
            "regularization, the cost of a rule, must be at least 0 and finite",
            self.regularization,
        )
        _check(
            self.max_rules is None or self.max_rules >= 1,
            "max_rules must be at least 1",
            self.max_rules,
        )
        _check(self.time_limit is None or self.time_limit >= 0, "time_limit counts CPU seconds from 0", self.time_limit)
        _check(self.memory_limit is None or self.memory_limit > 0, "memory_limit counts GiB above 0", self.memory_limit)


def _check(holds: bool, expected: str, found: Any) -> None:
    if not holds:
        raise SettingError(f"{expected}, not {found}")


def check_share(name: str, value: float) -> None:
    """Raise SettingError unless the value is a share from 0 to 1."""
    _check(0 <= value <= 1, f"{name} is a share from 0 to 1", value)
