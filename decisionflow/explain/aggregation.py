"""From the parts of a rule's variables to contributions of input features (SMACE, Eq. 1 and 2, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from decisionflow.program.program import Program

Shares = Callable[[str, bool], Mapping[str, float]]
"""The share of each direct input in a variable; whether the variable stands in the rule itself."""


@dataclass(frozen=True, slots=True)
class FeatureContribution:
    """e_j of one feature, split into its own part in the rule and what comes to it through each internal variable."""

    feature: str
    direct: float
    via: Mapping[str, float]

    @property
    def total(self) -> float:
        return self.direct + sum(self.via.values())


def normalised(phi: Mapping[str, float]) -> dict[str, float]:
    """phi_hat_j = |phi_j| / sum |phi|, zero when all are zero (Eq. 2)."""
    total = sum(abs(value) for value in phi.values())
    return {name: abs(value) / total if total else 0.0 for name, value in phi.items()}


def directed(phi: Mapping[str, float], is_root: bool) -> dict[str, float]:
    """phi_j / sum |phi|: the direction that Eq. 2 leaves out is kept.

    Further up the graph the signs are those of pushing the variable along the way it went from its mean.
    """
    total = sum(abs(value) for value in phi.values())
    way = 1.0 if is_root or sum(phi.values()) >= 0 else -1.0
    return {name: way * value / total if total else 0.0 for name, value in phi.items()}


def aggregate(
    program: Program, direct: Mapping[str, float], through: Mapping[str, float], shares: Shares
) -> tuple[FeatureContribution, ...]:
    """e_j = r_j + sum_m r_m phi_hat_j^(m) (Eq. 1), in order of declaration.

    `direct` holds r_j of features, `through` r_m of internal variables, `shares` the share of each input in one of
    them. Deviates from the paper in going on where a share falls to another derived value, model or decision, in
    reverse topological order (its Section 6). The totals sum to the sum of all r unless some shares are all zero.
    """
    reached: dict[str, dict[str, float]] = {}
    for root, part in through.items():
        carried = {root: part}
        for name in _backwards(program, root):
            weight = carried.pop(name, 0.0)
            for used, share in shares(name, name == root).items() if weight else ():
                carried[used] = carried.get(used, 0.0) + weight * share
        for feature, weight in carried.items():
            reached.setdefault(feature, {})[root] = weight
    named = [name for name in program.features if name in direct or name in reached]
    return tuple(FeatureContribution(name, direct.get(name, 0.0), reached.get(name, {})) for name in named)


def _backwards(program: Program, root: str) -> list[str]:
    """The root and every name behind it that is no feature, each before those it reads."""
    inner = [name for name in reversed(program.order) if name not in program.features and name != root]
    return [root, *inner]
