"""A node written down as a mixed-integer program.

Measured features in a half-space move by so much up or down, in whole steps where they have any; labels are binaries.
A feature that trees split has an ordered binary for each end of a split (1 where the feature lies above it), with
exactly the cost of the cheapest place between two ends; each leaf is reached where its splits lead to it (Mišić,
Optimization of tree ensembles, Operations Research 68, 2020, program 2).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from decisionflow.conditions.intervals import Interval, Region
from decisionflow.explain.allowed import Labels
from decisionflow.explain.nearest_change.formula import Form, HalfSpace, Threshold
from decisionflow.explain.nearest_change.movable import Movable, neatly, span_of
from decisionflow.explain.nearest_change.polishing import NEAR, Moving, polished
from decisionflow.explain.nearest_change.problem import Problem
from decisionflow.explain.nearest_change.program_rows import Expression, Rows, Solution
from decisionflow.explain.nearest_change.search import Node, Solved
from decisionflow.explain.nearest_change.trees import Branch, Leaf, Tree

TINY = 1e-6
"""How far past an excluded end the sum of a condition is put, in units of its largest term, where no step says so."""

FAR, COUNTED = 1e9, 1e4
"""How far a feature goes where nothing ends it, and up to how many units a binary can tell that it moved at all."""

MOST_RULED_OUT = 40
ONE = Expression(constant=1.0)


@dataclass
class NodeProgram:
    """One node being written down; it may cost at most `limit`.

    Where `settling`, the fewest features change at that cost, of as many the first declared, in place of the cheapest.
    """

    items: Sequence[Movable]
    problem: Problem
    node: Node
    most: int | None
    closed: bool = False
    limit: float | None = None
    settling: bool = False
    rows: Rows = field(default_factory=Rows)
    moving: dict[int, Moving] = field(default_factory=dict)
    labels: dict[int, dict[float | str | bool, int]] = field(default_factory=dict)
    cuts: dict[int, tuple[list[float], list[int], list[int]]] = field(default_factory=dict)
    changed: dict[int, Expression] = field(default_factory=dict)
    reached: dict[int, list[int]] = field(default_factory=dict)

    def solved(self, seconds: float) -> list[Node]:
        """The node with its cheapest point; none where it is empty."""
        hard = [part.hard for part in self.node.hard]
        spaces = [each for each in hard if isinstance(each, HalfSpace)]
        sums = [each for each in hard if isinstance(each, Threshold)]
        in_forms = {at for each in spaces for at in each.form.features}
        in_trees = {at for each in sums for at in each.scored.features}
        for at in sorted(in_forms | in_trees):
            if not self.items[at].is_measured:
                self._name(at)
            elif at in in_forms:
                self._move(at)
        for at in sorted(in_trees):
            if self.items[at].is_measured:
                self._cut(at, sums)
        for space in spaces:
            self._require_space(space)
        for each in sums:
            self._require_sum(each)
        self._count()
        involved = in_forms | in_trees
        if self.limit is not None:
            own = math.fsum(self.problem.places[at].costs[self.node.at[at]] for at in involved)
            self.rows.cap(self.limit - (self.problem.cost(self.node.at) - own))
        if self.settling:
            weights = [(at, 1.0 - 0.5 ** (place + 1)) for place, at in enumerate(sorted(involved))]
            self.rows.prefer((self.changed[at], weight) for at, weight in weights if at in self.changed)
        return self._read(self._solution(sums, seconds), involved)

    def _solution(self, sums: Sequence[Threshold], seconds: float) -> Solution:
        """The solver's; it meets a sum within its tolerance only, so leaves that fail it by less are ruled out."""
        deadline = time.monotonic() + seconds
        solution = self.rows.solve(seconds)
        for _ in range(MOST_RULED_OUT):
            failing = [] if solution.values is None else [each for each in sums if not self._meets(each, solution)]
            if not failing or time.monotonic() > deadline:
                break
            for each in failing:
                self._rule_out(self.reached[id(each)], solution)
            solution = self.rows.solve(deadline - time.monotonic())
        return solution

    def _meets(self, threshold: Threshold, solution: Solution) -> bool:
        values = {at: self._value(at, solution) for at in threshold.scored.features}
        return threshold.comparison.holds(threshold.scored.score(values), threshold.threshold, tolerant=True)

    def _rule_out(self, leaves: Sequence[int], solution: Solution) -> None:
        assert solution.values is not None
        taken = [leaf for leaf in leaves if solution.values[leaf] > 0.5]
        self.rows.require(Expression(dict.fromkeys(taken, 1.0)), -math.inf, len(taken) - 1.0)

    # Variables

    def _name(self, at: int) -> None:
        """A binary for each label that is left."""
        places, mask = self.problem.places[at], self.node.masks[at]
        kept = [place for place in range(len(places.values)) if mask >> place & 1]
        self.labels[at] = {places.values[place]: self.rows.binary(places.costs[place]) for place in kept}
        self.rows.require(Expression(dict.fromkeys(self.labels[at].values(), 1.0)), 1.0, 1.0)
        stays = self.labels[at].get(self.items[at].here)
        self.changed[at] = Expression({} if stays is None else {stays: -1.0}, 1.0)

    def _move(self, at: int) -> None:
        """How far up and down."""
        item = self.items[at]
        low, high = (float(item.here),) * 2 if at in self.node.staying else self._bounds(at)
        unit = 1.0 if item.is_whole else item.step or item.scale
        whole = item.is_whole or item.step is not None
        cost, here = item.weight * unit / item.scale, float(item.here)
        up = self.rows.variable(cost, 0.0, max(0.0, (high - here) / unit), whole)
        down = self.rows.variable(cost, 0.0, max(0.0, (here - low) / unit), whole)
        slack = 1e-9 if whole else 0.0
        if low > here:
            self.rows.require(Expression({up: 1.0}), (low - here) / unit - slack, math.inf)
        if high < here:
            self.rows.require(Expression({down: 1.0}), (here - high) / unit - slack, math.inf)
        self.moving[at] = Moving(up, down, unit, low, high)
        far = max(abs(here - end) / unit for end in (low, high))
        if self.limit is not None and cost:
            far = min(far, self.limit / cost)
        if (self.most is not None or self.settling) and far <= COUNTED:
            changes = self.rows.binary()
            self.rows.require(Expression({up: 1.0, down: 1.0, changes: -far}), -math.inf, 0.0)
            self.changed[at] = Expression({changes: 1.0})

    def _bounds(self, at: int) -> tuple[float, float]:
        """The first and last place that are left, infinite where nothing ends them; the ends beyond, where `closed`."""
        places, mask = self.problem.places[at], self.node.masks[at]
        first, last = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
        low, high = float(places.values[first]), float(places.values[last])
        permitted = places.item.permitted
        own = permitted.intervals if isinstance(permitted, Region) else ()
        # Where a feature may not fall, the row's own value ends what is permitted below, and nothing above.
        lows = {*self.problem.ends[at], *(interval.low for interval in own)}
        highs = {*self.problem.ends[at], *(interval.high for interval in own)}
        lower = max((end for end in lows if end <= low), default=-math.inf)
        higher = min((end for end in highs if end >= high), default=math.inf)
        up_to_ends = self.closed and not places.item.is_whole
        if up_to_ends or lower == -math.inf:
            low = lower
        if up_to_ends or higher == math.inf:
            high = higher
        return low, high

    def _cut(self, at: int, sums: Sequence[Threshold]) -> None:
        """An ordered binary for each end of a split, with the cost of the cheapest place in each cell between them."""
        places, mask = self.problem.places[at], self.node.masks[at]
        splits = [split.left for each in sums for split in each.scored.splits if split.feature == at]
        ends = sorted({end for left in splits if isinstance(left, Region) for end in left.boundaries()})
        closed = {end for left in splits if isinstance(left, Region) for end in left.boundaries() if left.contains(end)}
        above = [self.rows.binary() for _ in ends]
        bounds = [(-math.inf, False), *((end, end not in closed) for end in ends), (math.inf, False)]
        best = []
        for (low, low_closed), (high, high_open) in pairwise(bounds):
            interval = Interval(low, high, low_closed and math.isfinite(low), not high_open and math.isfinite(high))
            first, last = span_of(places.values, interval)
            cell = mask & ((1 << last) - (1 << first) if last > first else 0)
            best.append(places.nearest(cell) if cell else -1)
        self.cuts[at] = (ends, above, best)
        chosen = [self._cell(above, number) for number in range(len(best))]
        for lower, higher in pairwise(above):
            self.rows.require(Expression({lower: 1.0, higher: -1.0}), 0.0, 1.0)
        for chance, place in zip(chosen, best, strict=True):
            if place < 0:
                self.rows.require(chance, 0.0, 0.0)
            elif at not in self.moving:
                self.rows.charge(chance, places.costs[place])
        if at in self.moving:
            self._link(at, chosen)
        elif places.here in best:
            self.changed[at] = ONE.plus(chosen[best.index(places.here)], -1.0)
        else:
            self.changed[at] = ONE

    def _cell(self, above: Sequence[int], number: int) -> Expression:
        """1 where the feature lies in the cell of that number."""
        found = Expression({above[number - 1]: 1.0}) if number else ONE
        return found.plus(Expression({above[number]: 1.0}), -1.0) if number < len(above) else found

    def _link(self, at: int, chosen: Sequence[Expression]) -> None:
        """A feature that moves freely lies in the cell that is chosen."""
        places, mask, moving = self.problem.places[at], self.node.masks[at], self.moving[at]
        ends, _, _ = self.cuts[at]
        here = float(self.items[at].here)
        low, high = Expression(), Expression()
        edges = [-math.inf, *ends, math.inf]
        for cell, start, end in zip(chosen, edges[:-1], edges[1:], strict=True):
            first, last = span_of(places.values, Interval(start, end, False, True))
            inside = [place for place in range(first, last) if mask >> place & 1]
            if inside and self.closed:
                low = low.plus(cell, max(start, moving.low, -FAR))
                high = high.plus(cell, min(end, moving.high, FAR))
            elif inside:
                low = low.plus(cell, float(places.values[inside[0]]))
                high = high.plus(cell, float(places.values[inside[-1]]))
        position = Expression({moving.up: moving.unit, moving.down: -moving.unit}, here)
        self.rows.require(position.plus(low, -1.0), 0.0, math.inf)
        self.rows.require(position.plus(high, -1.0), -math.inf, 0.0)

    # Conditions

    def _require_space(self, space: HalfSpace) -> None:
        total, comparison = self._expression(space.form), space.comparison
        if comparison.spelling == "=":
            self.rows.require(total, 0.0, 0.0)
            return
        beyond = Expression() if comparison.closed else self._margin(space)
        if comparison.side > 0:
            self.rows.require(total.plus(beyond, -1.0), 0.0, math.inf)
        else:
            self.rows.require(total.plus(beyond), -math.inf, 0.0)

    def _margin(self, space: HalfSpace) -> Expression:
        """What passes an excluded end: the least that whole steps can, else a unit of the last decimal written."""
        stepped = [self.items[at].is_whole or self.items[at].step is not None for at in space.form.weights]
        if stepped and all(stepped):
            return Expression(constant=self._quantum(space.form))
        if any(stepped) or (not space.margin.features and space.margin.constant == 0):
            return Expression(constant=TINY * self._size(space.form))
        return self._expression(space.margin)

    def _quantum(self, form: Form) -> float:
        """Half of the least that the form can differ from zero where all its features move in whole steps."""
        terms = [form.constant, *(share for named in form.labels.values() for share in named.values())]
        for at, weight in form.weights.items():
            item = self.items[at]
            terms += [weight * (1.0 if item.is_whole else item.step or 1.0), weight * float(item.here)]
        exact = [Fraction(term).limit_denominator(10**9) for term in terms]
        common = math.lcm(*(each.denominator for each in exact))
        steps = math.gcd(*(int(each * common) for each in exact))
        size = self._size(form)
        return max(steps / common / 2, NEAR * size) if steps else NEAR * size

    def _size(self, form: Form) -> float:
        sizes = [abs(weight) * self.items[at].scale for at, weight in form.weights.items()]
        sizes += [abs(share) for named in form.labels.values() for share in named.values()]
        return max(sizes, default=1.0)

    def _expression(self, form: Form) -> Expression:
        found = Expression(constant=form.constant)
        for at, weight in form.weights.items():
            moving, here = self.moving[at], float(self.items[at].here)
            found = found.plus(Expression({moving.up: moving.unit, moving.down: -moving.unit}, here), weight)
        for at, named in form.labels.items():
            chosen = {variable: named.get(label, 0.0) for label, variable in self.labels[at].items()}
            found = found.plus(Expression(chosen))
        return found

    def _require_sum(self, threshold: Threshold) -> None:
        values: dict[int, float] = {}
        for tree in threshold.scored.trees:
            reached = self._reach(tree)
            self.rows.require(Expression(dict.fromkeys(reached, 1.0)), 1.0, 1.0)
            values.update(reached)
        self.reached[id(threshold)] = list(values)
        total = Expression(values, threshold.scored.constant)
        number, near = threshold.threshold, NEAR * max(1.0, abs(threshold.threshold))
        below, above = threshold.comparison.side > 0, threshold.comparison.side < 0
        self.rows.require(total, -math.inf if above else number - near, math.inf if below else number + near)

    def _reach(self, tree: Tree) -> dict[int, float]:
        """A variable for each leaf that may be reached, with what the leaf adds."""
        if isinstance(tree, Leaf):
            return {self.rows.variable(0.0, 0.0, 1.0): tree.value}
        left, right = self._reach(tree.left), self._reach(tree.right)
        goes = self._goes_left(tree)
        self.rows.require(Expression(dict.fromkeys(left, 1.0)).plus(goes, -1.0), -math.inf, 0.0)
        self.rows.require(Expression(dict.fromkeys(right, 1.0)).plus(goes), -math.inf, 1.0)
        return left | right

    def _goes_left(self, branch: Branch) -> Expression:
        split = branch.split
        if isinstance(split.left, Labels):
            inside = {number: 1.0 for label, number in self.labels[split.feature].items() if split.left.contains(label)}
            return Expression(inside)
        ends, above, _ = self.cuts[split.feature]
        (interval,) = split.left.intervals
        if math.isinf(interval.high):
            return Expression({above[ends.index(interval.low)]: 1.0})
        return ONE.plus(Expression({above[ends.index(interval.high)]: 1.0}), -1.0)

    def _count(self) -> None:
        """At most so many changed features, those outside the program counted first."""
        if self.most is None:
            return
        pairs = zip(self.problem.places, self.node.at, strict=True)
        outside = sum(place != places.here for at, (places, place) in enumerate(pairs) if at not in self.changed)
        total = Expression()
        for each in self.changed.values():
            total = total.plus(each)
        self.rows.require(total, -math.inf, float(self.most - outside))

    # The answer

    def _read(self, solution: Solution, involved: set[int]) -> list[Node]:
        if solution.ended == "infeasible":
            return []
        pairs = list(zip(self.problem.places, self.node.at, strict=True))
        others = math.fsum(places.costs[place] for at, (places, place) in enumerate(pairs) if at not in involved)
        bound = max(self.node.floor, others + max(0.0, solution.bound))
        if solution.values is None:
            return [replace(self.node, solved=Solved(bound, bound, {}))]
        values = {at: self._value(at, solution) for at in sorted(involved)}
        values = polished(self.items, values, self.node, self.moving)
        at = list(self.node.at)
        for feature, value in values.items():
            at[feature] = self._place(feature, value)
        cost = others + math.fsum(self.items[feature].cost(value) for feature, value in values.items())
        sure = cost if solution.ended == "optimal" else min(cost, bound)
        return [replace(self.node, at=tuple(at), solved=Solved(cost, sure, values))]

    def _value(self, at: int, solution: Solution) -> float | str | bool:
        found, item = solution.values, self.items[at]
        assert found is not None
        if at in self.labels:
            chosen = self.labels[at]
            return max(chosen, key=lambda label: found[chosen[label]])
        if at in self.moving:
            moving = self.moving[at]
            moved = found[moving.up] - found[moving.down]
            moved = round(moved) if item.is_whole or item.step is not None else moved
            return float(item.here) if moved == 0 else neatly(float(item.here) + moved * moving.unit)
        _, above, best = self.cuts[at]
        return self.problem.places[at].values[best[sum(round(found[variable]) for variable in above)]]

    def _place(self, feature: int, value: float | str | bool) -> int:
        places = self.problem.places[feature]
        if not places.item.is_measured:
            return places.values.index(value)
        found = self.problem.cell(feature, float(value))
        mask = self.node.masks[feature]
        return found if found is not None and mask >> found & 1 else places.nearest(mask)
