"""A mixed-integer program written down row by row, and solved by HiGHS."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from decisionflow.explain.nearest_change.hushed import hushed

Terms = Mapping[int, float]
Ended = Literal["optimal", "feasible", "infeasible", "unknown"]


@dataclass(frozen=True, slots=True)
class Expression:
    """`constant + sum of weight * variable`."""

    terms: Terms = field(default_factory=dict)
    constant: float = 0.0

    def plus(self, other: Expression, factor: float = 1.0) -> Expression:
        """The sum with a multiple of another."""
        terms = dict(self.terms)
        for variable, weight in other.terms.items():
            terms[variable] = terms.get(variable, 0.0) + factor * weight
        return Expression(terms, self.constant + factor * other.constant)


@dataclass(frozen=True, slots=True)
class Solution:
    """How it ended, the variables' values, and what no solution stays below."""

    ended: Ended
    values: NDArray[np.float64] | None = None
    bound: float = -math.inf


@dataclass
class Rows:
    """Variables with costs and bounds, and rows `low <= expression <= high`; minimised."""

    costs: list[float] = field(default_factory=list)
    lows: list[float] = field(default_factory=list)
    highs: list[float] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    entries: list[tuple[int, int, float]] = field(default_factory=list)
    row_lows: list[float] = field(default_factory=list)
    row_highs: list[float] = field(default_factory=list)
    base: float = 0.0

    def variable(self, cost: float, low: float, high: float, whole: bool = False) -> int:
        """A new variable, by its number."""
        self.costs.append(cost)
        self.lows.append(low)
        self.highs.append(high)
        self.whole.append(int(whole))
        return len(self.costs) - 1

    def binary(self, cost: float = 0.0) -> int:
        """A new variable that is 0 or 1."""
        return self.variable(cost, 0.0, 1.0, True)

    def charge(self, expression: Expression, cost: float) -> None:
        """Let an expression cost so much a unit."""
        self.base += cost * expression.constant
        for variable, weight in expression.terms.items():
            self.costs[variable] += weight * cost

    def cap(self, limit: float) -> None:
        """Let everything together cost at most so much."""
        self.require(Expression(dict(enumerate(self.costs)), self.base), -math.inf, limit)

    def prefer(self, wanted: Iterable[tuple[Expression, float]]) -> None:
        """Minimise other expressions by their weights in place of the cost."""
        self.costs, self.base = [0.0] * len(self.costs), 0.0
        for expression, weight in wanted:
            self.charge(expression, weight)

    def require(self, expression: Expression, low: float, high: float) -> None:
        """A new row; scaled so that its largest weight is one."""
        terms = {variable: weight for variable, weight in expression.terms.items() if weight}
        size = max((abs(weight) for weight in terms.values()), default=1.0)
        row = len(self.row_lows)
        self.entries += [(row, variable, weight / size) for variable, weight in terms.items()]
        self.row_lows.append((low - expression.constant) / size)
        self.row_highs.append((high - expression.constant) / size)

    def solve(self, seconds: float) -> Solution:
        """The cheapest solution, with no gap."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        shape = (len(self.row_lows), len(self.costs))
        rows, columns, weights = zip(*self.entries, strict=True) if self.entries else ((), (), ())
        matrix = csr_array((weights, (rows, columns)), shape=shape)
        with hushed():
            found = milp(
                np.array(self.costs),
                integrality=np.array(self.whole),
                bounds=Bounds(np.array(self.lows), np.array(self.highs)),
                constraints=LinearConstraint(matrix, np.array(self.row_lows), np.array(self.row_highs)),
                options={"mip_rel_gap": 0.0, "time_limit": max(0.1, seconds)},
            )
        if found.status == 2:
            return Solution("infeasible")
        bound = self.base + (found.mip_dual_bound if found.mip_dual_bound is not None else -math.inf)
        if found.x is None:
            return Solution("unknown", bound=bound)
        ended: Ended = "optimal" if found.status == 0 else "feasible"
        return Solution(ended, np.asarray(found.x), self.base + float(found.fun) if ended == "optimal" else bound)
