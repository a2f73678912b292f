"""HybridCORELS: the best prefix of rules under a minimum transparency, with a certificate (Ferry et al. 2023)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decisionflow.learn.candidates import Candidates
from decisionflow.learn.certified import CertifiedClassifier, check_share
from decisionflow.learn.classifier import Labels, RuleChoice
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.prefix_search import Paradigm
from decisionflow.learn.training_rows import Training

Floats = NDArray[np.float64]
PARADIGMS = ("post", "pre", "pre_no_collaboration")
USUAL_SPECIALIZATION = 1.0


@dataclass(eq=False, repr=False, kw_only=True)
class HybridCORELSClassifier(CertifiedClassifier):
    """The rule list of least error and length among those that cover the asked share of the training rows.

    Paradigms: "post" fits the black box first and corrects it (Algorithm 2, Eq. 10); "pre" learns the rules first,
    counting what no black box could tell apart in the rows left to it (Algorithm 3, Eq. 11), and then a black box that
    weighs these rows more (Eq. 5); "pre_no_collaboration" minimises the rules' own share of errors (Appendix C,
    Eq. 15). beta is min(1/(2N), lambda/2). A rule answers with the majority of the rows it takes, 1 on a tie.

    Deviates from the published algorithms: coverage reaches the minimum, it need not exceed it; an empty list defers to
    the black box; the bounds hold for every black box. `min_support` limits the candidates, it prunes nothing.

    Parameters
    ----------
    paradigm: "post", "pre" or "pre_no_collaboration".
    min_transparency: the least share of the training rows that the rules cover.
    regularization: lambda, what a rule costs. max_rules: the longest list, None for any.
    specialization: alpha of Eq. 5, for the two pre paradigms only; None is 1 there (the paper's section 5.2 finds
        1 to 2 best). Its weights are scaled to a mean of one, times the sample weights.
    time_limit: CPU seconds of the search. memory_limit: GiB of open prefixes. At either, and at Ctrl-C, the best list
        so far is returned with its gap.
    The rest: see `HybridClassifier`; the certificate: see `CertifiedClassifier`. Weights that are not whole numbers are
    scaled to whole ones, exactly where they are multiples of a common part, else to 20 bits.
    """

    paradigm: Paradigm = "post"
    min_transparency: float = 0.5
    specialization: float | None = None

    def _learn_rules(
        self,
        candidates: Candidates,
        labels: Labels,
        weights: Floats,
        black_box: Labels | None,
        rng: np.random.Generator,  # noqa: ARG002
    ) -> Sequence[RuleChoice]:
        return self._search(self.paradigm, candidates, labels, weights, black_box, self.min_transparency)

    def _black_box_comes_first(self) -> bool:
        self._check_settings()
        return self.paradigm == "post"

    def _emphasis(self, training: Training, covered: NDArray[np.bool_]) -> Floats | None:
        alpha = USUAL_SPECIALIZATION if self.specialization is None else self.specialization
        if alpha == 0 or covered.all() or not covered.any():
            return None
        return specialization_weights(covered, alpha, training.weights)

    def _check_settings(self) -> None:
        if self.paradigm not in PARADIGMS:
            raise SettingError(f"paradigm is one of {', '.join(PARADIGMS)}, not {self.paradigm!r}")
        if self.paradigm == "post" and self.specialization is not None:
            raise SettingError(
                "specialization shapes a black box that is fitted after the rules; with paradigm='post' it comes "
                "before them: leave it out, or choose paradigm='pre'"
            )
        if self.specialization is not None and not 0 <= self.specialization < math.inf:
            raise SettingError(
                f"specialization, alpha of Eq. 5, must be at least 0 and finite, not {self.specialization}"
            )
        check_share("min_transparency", self.min_transparency)
        super()._check_settings()


def specialization_weights(covered: NDArray[np.bool_], alpha: float, weights: Floats | None = None) -> Floats:
    """Weights `(n,)` of Eq. 5, `e^alpha` times as high outside the covered rows.

    Their mean over rows of these weights `(n,)`, all equal where none are given, is one; in the paper their sum is.
    """
    raw = np.where(covered, np.exp(-alpha), 1.0)  # e^alpha itself leaves the range of numbers at 710
    return np.asarray(raw / np.average(raw, weights=weights), dtype=np.float64)
