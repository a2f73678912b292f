"""Bayesian rule lists, learned without the black box and paired with it afterwards: a naive companion."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.errors import DecisionFlowError
from decisionflow.learn.candidates import Candidates, MiningSettings
from decisionflow.learn.classifier import HybridClassifier, Labels, RuleChoice
from decisionflow.learn.companion_rule import first_rule
from decisionflow.learn.condition import AllOf, Atom, Condition
from decisionflow.learn.learning_errors import SettingError

Floats = NDArray[np.float64]


class MissingExtraError(DecisionFlowError, ImportError):
    """A learner needs a package that only an extra installs."""


@dataclass(eq=False, repr=False, kw_only=True)
class BayesianRuleListClassifier(HybridClassifier):
    """imodels' Bayesian rule list (Letham et al. 2015) over our candidates, with the black box behind it.

    The list is sampled from its posterior without knowledge of the black box; its default rule is left out, so that
    the rows it would answer go to the black box. A rule answers with the majority of the rows it takes, 1 on a tie.
    Needs `pip install decisionflow[baselines]`. Made for comparison: its sampler is Python and slow on many rows.

    Parameters
    ----------
    expected_rules, expected_conditions: the prior's means of the list's length and of a rule's conditions.
    iterations: steps of each chain. chains: how many chains are sampled.
    The rest: see `HybridClassifier`. Sample weights must be whole numbers; they repeat rows.
    """

    expected_rules: float = 3
    expected_conditions: float = 1
    iterations: int = 5_000
    chains: int = 3
    min_support: float = 0.1
    negations: bool = False

    def _mining_settings(self) -> MiningSettings:
        return replace(super()._mining_settings(), max_conditions=1)

    def _learn_rules(
        self,
        candidates: Candidates,
        labels: Labels,
        weights: Floats,
        black_box: Labels | None,  # noqa: ARG002
        rng: np.random.Generator,
    ) -> Sequence[RuleChoice]:
        sampler = _sampler_class()
        places = _repeated_rows(candidates, labels, weights)
        if not len(candidates) or candidates.covers.all():
            return []
        with _global_draws_kept():
            sampled = sampler(
                listlengthprior=self.expected_rules,
                listwidthprior=self.expected_conditions,
                maxcardinality=self.max_conditions,
                minsupport=self.min_support,
                n_chains=self.chains,
                max_iter=self.iterations,
                random_state=int(rng.integers(2**31)),
            ).fit(_table(candidates, places), labels[places])
        conditions = _conditions(sampled.final_itemsets, candidates)
        return _with_majorities(conditions, candidates, labels, weights)


def _sampler_class() -> Any:
    try:
        from imodels import BayesianRuleListClassifier as Sampler
    except ImportError as error:
        raise MissingExtraError(
            "BayesianRuleListClassifier samples with the package imodels, which is not installed; "
            "try: pip install 'decisionflow[baselines]'"
        ) from error
    return Sampler


def _repeated_rows(candidates: Candidates, labels: Labels, weights: Floats) -> NDArray[np.intp]:
    """The places of the rows, each as often as it weighs, in an order that does not depend on the data's."""
    counts = np.rint(weights).astype(np.intp)
    if (counts != weights).any():
        raise SettingError("a Bayesian rule list counts rows: sample weights must be whole numbers")
    order = np.lexsort((labels, *candidates.covers.T))
    return np.repeat(order, counts[order])


@contextmanager
def _global_draws_kept() -> Iterator[None]:
    """imodels seeds the global generators; put them back as they were."""
    python_state, numpy_state = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(python_state)
        np.random.set_state(numpy_state)


def _table(candidates: Candidates, places: NDArray[np.intp]) -> pd.DataFrame:
    return pd.DataFrame(
        candidates.covers[places].astype(np.int64), columns=[f"c{place}" for place in range(len(candidates))]
    )


def _conditions(itemsets: Sequence[Any], candidates: Candidates) -> list[tuple[int, ...]]:
    """The candidates that each sampled rule joins, up to the default rule; imodels names column k `X_k`."""
    found = []
    for itemset in itemsets:
        if isinstance(itemset, str):
            break
        found.append(tuple(sorted(int(str(name).rsplit("_", 1)[1]) for name in itemset)))
    return [places for places in found if max(places) < len(candidates)]


def _with_majorities(
    chosen: Sequence[tuple[int, ...]], candidates: Candidates, labels: Labels, weights: Floats
) -> list[RuleChoice]:
    masks = [np.logical_and.reduce(candidates.covers[:, places], axis=1) for places in chosen]
    deciding = first_rule(masks, len(labels))
    ones = [float(weights[(deciding == place) & (labels == 1)].sum()) for place in range(len(chosen))]
    everything = [float(weights[deciding == place].sum()) for place in range(len(chosen))]
    return [
        RuleChoice(_joined([candidates.conditions[place] for place in places]), int(2 * one >= total))
        for places, one, total in zip(chosen, ones, everything, strict=True)
    ]


def _joined(parts: Sequence[Condition]) -> Condition:
    atoms: list[Atom] = [part for part in parts if not isinstance(part, AllOf)]
    return atoms[0] if len(atoms) == 1 else AllOf(tuple(atoms))
