"""The open prefixes: a tree of nodes, a binary heap over them, and the sets already captured at less cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

NODES, QUEUED, EXPANSIONS, SEEN = range(4)


class Frontier(NamedTuple):
    """Node i extends node `parent[i]` by `rule[i]`; `bound[i]` is a lower bound of all that is still open below it.

    `heap_key`, `heap_node`: the heap. `set_low`, `set_high`: 128-bit hash of the rows a node leaves, in an open table,
    with the least `set_cost` and the `set_depth` of that node. `counts`: nodes, queued nodes, expansions, sets.
    """

    parent: NDArray[np.int32]
    rule: NDArray[np.int32]
    depth: NDArray[np.int32]
    excess: NDArray[np.int64]
    bound: NDArray[np.float64]
    heap_key: NDArray[np.float64]
    heap_node: NDArray[np.int32]
    set_low: NDArray[np.uint64]
    set_high: NDArray[np.uint64]
    set_cost: NDArray[np.float64]
    set_depth: NDArray[np.int32]
    counts: NDArray[np.int64]


PER_NODE = ("parent", "rule", "depth", "excess", "bound", "heap_key", "heap_node")


def new_frontier(capacity: int) -> Frontier:
    """An empty frontier with room for `capacity` nodes, rounded up to a power of two."""
    size = 1 << max(4, (capacity - 1).bit_length())
    return Frontier(
        parent=np.empty(size, dtype=np.int32),
        rule=np.empty(size, dtype=np.int32),
        depth=np.empty(size, dtype=np.int32),
        excess=np.empty(size, dtype=np.int64),
        bound=np.empty(size, dtype=np.float64),
        heap_key=np.empty(size, dtype=np.float64),
        heap_node=np.empty(size, dtype=np.int32),
        set_low=np.zeros(2 * size, dtype=np.uint64),
        set_high=np.zeros(2 * size, dtype=np.uint64),
        set_cost=np.empty(2 * size, dtype=np.float64),
        set_depth=np.empty(2 * size, dtype=np.int32),
        counts=np.zeros(4, dtype=np.int64),
    )


def bytes_of(frontier: Frontier) -> int:
    """Memory that the frontier holds."""
    return sum(part.nbytes for part in frontier)


def enlarged(frontier: Frontier) -> Frontier:
    """The same frontier with twice the room."""
    larger = new_frontier(2 * len(frontier.parent))
    for name in PER_NODE:
        old = getattr(frontier, name)
        getattr(larger, name)[: len(old)] = old
    larger.counts[:] = frontier.counts
    _copy_sets(frontier, larger)
    return larger


@njit(cache=True)
def _copy_sets(old: Frontier, new: Frontier) -> None:
    for slot in range(len(old.set_low)):
        if old.set_low[slot] != 0:
            target = find_set(new, old.set_low[slot], old.set_high[slot])
            new.set_low[target] = old.set_low[slot]
            new.set_high[target] = old.set_high[slot]
            new.set_cost[target] = old.set_cost[slot]
            new.set_depth[target] = old.set_depth[slot]


@njit(cache=True)
def find_set(frontier: Frontier, low: np.uint64, high: np.uint64) -> int:
    """The slot of a set, or the empty slot where it belongs."""
    last = np.uint64(len(frontier.set_low) - 1)
    slot = high & last
    while frontier.set_low[slot] != 0 and (frontier.set_low[slot] != low or frontier.set_high[slot] != high):
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)


@njit(cache=True)
def remember_set(frontier: Frontier, low: np.uint64, high: np.uint64, cost: float, depth: int, limited: bool) -> bool:
    """Whether a prefix with this captured set is worth keeping; if so it is remembered.

    An earlier prefix of no greater cost makes it needless; where the number of rules is `limited`, only if the earlier
    one is no longer either.
    """
    slot = find_set(frontier, low, high)
    if frontier.set_low[slot] == 0:
        frontier.set_low[slot] = low
        frontier.set_high[slot] = high
        frontier.counts[SEEN] += 1
        frontier.set_cost[slot] = cost
        frontier.set_depth[slot] = depth
        return True
    if frontier.set_cost[slot] <= cost and (not limited or frontier.set_depth[slot] <= depth):
        return False
    if not limited or (cost <= frontier.set_cost[slot] and depth <= frontier.set_depth[slot]):
        frontier.set_cost[slot] = cost
        frontier.set_depth[slot] = depth
    return True


@njit(cache=True)
def push(frontier: Frontier, parent: int, rule: int, depth: int, excess: int, bound: float, key: float) -> None:
    """Add an open node."""
    node = frontier.counts[NODES]
    frontier.counts[NODES] += 1
    frontier.parent[node] = parent
    frontier.rule[node] = rule
    frontier.depth[node] = depth
    frontier.excess[node] = excess
    frontier.bound[node] = bound
    _sift_up(frontier, node, key)


@njit(cache=True)
def _sift_up(frontier: Frontier, node: int, key: float) -> None:
    place = frontier.counts[QUEUED]
    frontier.counts[QUEUED] += 1
    while place > 0:
        above = (place - 1) >> 1
        if frontier.heap_key[above] <= key:
            break
        frontier.heap_key[place] = frontier.heap_key[above]
        frontier.heap_node[place] = frontier.heap_node[above]
        place = above
    frontier.heap_key[place] = key
    frontier.heap_node[place] = node


@njit(cache=True)
def pop(frontier: Frontier) -> int:
    """Take the node of least key out of the heap."""
    top = frontier.heap_node[0]
    frontier.counts[QUEUED] -= 1
    size = frontier.counts[QUEUED]
    key, node = frontier.heap_key[size], frontier.heap_node[size]
    place = 0
    while 2 * place + 1 < size:
        below = 2 * place + 1
        if below + 1 < size and frontier.heap_key[below + 1] < frontier.heap_key[below]:
            below += 1
        if frontier.heap_key[below] >= key:
            break
        frontier.heap_key[place] = frontier.heap_key[below]
        frontier.heap_node[place] = frontier.heap_node[below]
        place = below
    frontier.heap_key[place] = key
    frontier.heap_node[place] = node
    return top
