"""CORELS: the optimal rule list on its own, paired with a black box afterwards (Angelino et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.candidates import Candidates
from decisionflow.learn.certified import CertifiedClassifier
from decisionflow.learn.classifier import Labels, RuleChoice
from decisionflow.learn.prefix_search import PrefixSearchResult

Floats = NDArray[np.float64]


@dataclass(eq=False, repr=False, kw_only=True)
class CORELSClassifier(CertifiedClassifier):
    """The naive companion: the rule list of least error and length, learned without knowledge of the black box.

    Minimises errors of the list and its default label plus regularization times the number of rules (Eq. 7) by the same
    search as `HybridCORELSClassifier`, then leaves the rows that its default would answer to the black box. A rule
    answers with the majority of the rows it takes, 1 on a tie.

    Parameters
    ----------
    regularization: lambda, what a rule costs. max_rules: the longest list, None for any.
    time_limit: CPU seconds of the search. memory_limit: GiB of open prefixes. At either, and at Ctrl-C, the best list
        so far is returned with its gap.
    The rest: see `HybridClassifier`; the certificate: see `CertifiedClassifier`. There is no minimum transparency:
    where rules are not worth their price the list is empty.

    Attributes
    ----------
    default_label_: what the list alone says of the rows that no rule takes; predictions ask the black box instead.
    """

    def _learn_rules(
        self,
        candidates: Candidates,
        labels: Labels,
        weights: Floats,
        black_box: Labels | None,  # noqa: ARG002
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Sequence[RuleChoice]:
        return self._search("corels", candidates, labels, weights, None, 0.0)

    def _keep_certificate(self, result: PrefixSearchResult) -> None:
        super()._keep_certificate(result)
        self.default_label_ = self.classes_[result.default_label]
