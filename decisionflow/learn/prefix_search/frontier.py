"""The open prefixes: a tree of nodes, a binary heap over them, and the sets already captured at less cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import inner

NODES, QUEUED, EXPANSIONS, SEEN = range(4)
NODE = np.dtype([("bound", "f8"), ("excess", "i8"), ("parent", "i4"), ("rule", "i4"), ("depth", "i4")], align=True)
HEAP_ENTRY = np.dtype([("key", "f8"), ("node", "i8")])
SEEN_SET = np.dtype([("low", "u8"), ("high", "u8"), ("cost", "f8"), ("depth", "i8")])


class Frontier(NamedTuple):
    """Node i extends its parent by a rule; its bound is one of all that is still open below it.

    `sets`: an open table of the 128-bit hashes of the rows that nodes leave, with the least cost and the depth of such
    a node. `counts`: nodes, queued nodes, expansions, sets.
    """

    nodes: NDArray[Any]
    heap: NDArray[Any]
    sets: NDArray[Any]
    counts: NDArray[np.int64]


def new_frontier(capacity: int) -> Frontier:
    """An empty frontier with room for `capacity` nodes, rounded up to a power of two."""
    size = 1 << max(4, (capacity - 1).bit_length())
    return Frontier(
        nodes=np.empty(size, dtype=NODE),
        heap=np.empty(size, dtype=HEAP_ENTRY),
        sets=np.zeros(2 * size, dtype=SEEN_SET),
        counts=np.zeros(4, dtype=np.int64),
    )


def bytes_of(frontier: Frontier) -> int:
    """Memory that the frontier holds."""
    return sum(part.nbytes for part in frontier)


def enlarged(frontier: Frontier) -> Frontier:
    """The same frontier with twice the room."""
    larger = new_frontier(2 * len(frontier.nodes))
    larger.nodes[: len(frontier.nodes)] = frontier.nodes
    larger.heap[: len(frontier.heap)] = frontier.heap
    larger.counts[:] = frontier.counts
    _copy_sets(frontier.sets, larger.sets)
    return larger


@njit(cache=True)
def _copy_sets(old: NDArray[Any], new: NDArray[Any]) -> None:
    for slot in range(len(old)):
        if old[slot].low != 0:
            new[find_set(new, old[slot].low, old[slot].high)] = old[slot]


@inner
def find_set(sets: NDArray[Any], low: np.uint64, high: np.uint64) -> int:
    """The slot of a set, or the empty slot where it belongs."""
    last = np.uint64(len(sets) - 1)
    slot = high & last
    while sets[slot].low != 0 and (sets[slot].low != low or sets[slot].high != high):
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)  # type: ignore[return-value]


@inner
def remember_set(frontier: Frontier, low: np.uint64, high: np.uint64, cost: float, depth: int, limited: bool) -> bool:
    """Whether a prefix with this captured set is worth keeping; if so it is remembered.

    An earlier prefix of no greater cost makes it needless; where the number of rules is `limited`, only if the earlier
    one is no longer either.
    """
    seen = frontier.sets[find_set(frontier.sets, low, high)]
    if seen.low == 0:
        frontier.counts[SEEN] += 1
        seen.low, seen.high, seen.cost, seen.depth = low, high, cost, depth
        return True
    if seen.cost <= cost and (not limited or seen.depth <= depth):
        return False
    if not limited or (cost <= seen.cost and depth <= seen.depth):
        seen.cost, seen.depth = cost, depth
    return True


@njit(cache=True)
def push(frontier: Frontier, parent: int, rule: int, depth: int, excess: int, bound: float, key: float) -> None:
    """Add an open node."""
    node = frontier.nodes[frontier.counts[NODES]]
    node.parent, node.rule, node.depth, node.excess, node.bound = parent, rule, depth, excess, bound
    heap, place = frontier.heap, frontier.counts[QUEUED]
    while place > 0:
        above = (place - 1) >> 1
        if heap[above].key <= key:
            break
        heap[place] = heap[above]
        place = above
    heap[place].key = key
    heap[place].node = frontier.counts[NODES]
    frontier.counts[NODES] += 1
    frontier.counts[QUEUED] += 1


@inner
def pop(frontier: Frontier) -> int:
    """Take the node of least key out of the heap."""
    heap = frontier.heap
    top = heap[0].node
    frontier.counts[QUEUED] -= 1
    size = frontier.counts[QUEUED]
    key, place = heap[size].key, 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and heap[below + 1].key < heap[below].key:
            below += 1
        if heap[below].key >= key:
            break
        heap[place] = heap[below]
        place = below
    heap[place] = heap[size]
    return top
