"""The cheapest point of a node with conditions over several features, as a mixed-integer program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from decisionflow.conditions.operators import GREATER, LESS
from decisionflow.explain.nearest_change.formula import HalfSpace, Threshold
from decisionflow.explain.nearest_change.incumbent import narrowed
from decisionflow.explain.nearest_change.movable import Movable
from decisionflow.explain.nearest_change.node_program import NodeProgram
from decisionflow.explain.nearest_change.problem import HardPart, Problem
from decisionflow.explain.nearest_change.search import Node, Solved

AS_CHEAP = 1e-9


def solve_node(
    items: Sequence[Movable], problem: Problem, node: Node, most: int | None, seconds: float, closed: bool = False
) -> list[Node]:
    """The nodes that stand for one: itself, solved; its parts, where it has to be split first; none, where it is empty.

    `closed` lets a feature go up to an excluded end instead of one step before it: for proofs, not for proposals.
    """
    parts = _split(items, problem, node)
    if parts is not None:
        return parts
    hard = [part.hard for part in node.hard]
    sums = [each for each in hard if isinstance(each, Threshold)]
    if sums and most is None and not any(isinstance(each, HalfSpace) for each in hard):
        near, limit = narrowed(problem, node, sums)
        found = NodeProgram(items, problem, near, most, closed, limit).solved(seconds)
        if found:
            # Conditions that are still to be met may need the places that cost more.
            return [replace(each, masks=node.masks) for each in found]
    return NodeProgram(items, problem, node, most, closed).solved(seconds)


def settled(items: Sequence[Movable], problem: Problem, node: Node, most: int | None, seconds: float) -> Node:
    """A solved node at the point that changes the fewest features of those that cost as much, then the first declared.

    As it is where trees take part, whose places seldom cost the same.
    """
    solved = node.solved
    assert solved is not None
    as_it_is = replace(node, solved=replace(solved, settled=True))
    if solved.bound < solved.cost - AS_CHEAP or any(isinstance(part.hard, Threshold) for part in node.hard):
        return as_it_is
    found = NodeProgram(items, problem, node, most, limit=solved.cost + AS_CHEAP, settling=True).solved(seconds)
    for each in found:
        if each.solved is not None and each.solved.values and each.solved.cost <= solved.cost + 2 * AS_CHEAP:
            kept = Solved(each.solved.cost, solved.bound, each.solved.values, True)
            return replace(node, at=each.at, solved=kept)
    return as_it_is


def _split(items: Sequence[Movable], problem: Problem, node: Node) -> list[Node] | None:
    """A node split at `!=` and at gaps in the places of a measured feature of a half-space; None where it has none."""
    for place, part in enumerate(node.hard):
        if isinstance(part.hard, HalfSpace | Threshold) and part.hard.comparison.spelling == "!=":
            sides = [HardPart(replace(part.hard, comparison=comparison)) for comparison in (LESS, GREATER)]
            return [replace(node, hard=(*node.hard[:place], side, *node.hard[place + 1 :])) for side in sides]
    for feature in sorted(_measured_in_forms(items, node)):
        runs = _runs(node.masks[feature])
        if len(runs) > 1:
            return [_narrowed(problem, node, feature, run) for run in runs]
    return None


def _measured_in_forms(items: Sequence[Movable], node: Node) -> set[int]:
    forms = [part.hard.form for part in node.hard if isinstance(part.hard, HalfSpace)]
    return {at for form in forms for at in form.weights if items[at].is_measured}


def _runs(mask: int) -> list[int]:
    """The masks of neighbouring places."""
    found, shift = [], 0
    while mask >> shift:
        first = shift + ((mask >> shift) & -(mask >> shift)).bit_length() - 1
        length = (~(mask >> first) & ((mask >> first) + 1)).bit_length() - 1
        found.append(((1 << length) - 1) << first)
        shift = first + length
    return found


def _narrowed(problem: Problem, node: Node, feature: int, mask: int) -> Node:
    masks, at = list(node.masks), list(node.at)
    masks[feature] = mask
    at[feature] = problem.places[feature].nearest(mask)
    return replace(node, masks=tuple(masks), at=tuple(at), solved=None)
