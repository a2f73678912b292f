"""The open prefixes: a tree of nodes, a binary heap over them, and the sets already captured at less cost."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from decisionflow.learn.prefix_search.bits import inner

NODES, QUEUED, EXPANSIONS, SETS, TAKEN = range(5)
NODE = np.dtype(
    [
        ("bound", "f8"),
        ("excess", "i8"),
        ("low", "u8"),
        ("high", "u8"),
        ("parent", "i4"),
        ("rule", "i4"),
        ("depth", "i2"),
        ("opened", "i1"),
    ]
)
HEAP_ENTRY = np.dtype([("key", "f8"), ("node", "i4")])
MOST_NODES = 2**31 - 1
GROWTH, FEWEST_MORE = 8, 4096


class Frontier(NamedTuple):
    """Node i extends its parent by a rule; its bound is one of all that is still open below it.

    `low` and `high` hash the rows that a node leaves. An `opened` node has been expanded; its bound is that of the
    children it has still to queue. `sets`: an open table with the cheapest node of every hash: 32 bits of the hash,
    and the node counted from 1. `counts`: nodes, queued nodes, expansions, sets, nodes taken from the queue.
    """

    nodes: NDArray[Any]
    heap: NDArray[Any]
    sets: NDArray[np.uint64]
    counts: NDArray[np.int64]


def new_frontier(capacity: int) -> Frontier:
    """An empty frontier with room for `capacity` nodes."""
    return Frontier(
        nodes=np.empty(capacity, dtype=NODE),
        heap=np.empty(capacity, dtype=HEAP_ENTRY),
        sets=np.zeros(2 << capacity.bit_length(), dtype=np.uint64),
        counts=np.zeros(5, dtype=np.int64),
    )


def bytes_of(frontier: Frontier) -> int:
    """Memory that the frontier holds."""
    return sum(part.nbytes for part in frontier)


def with_room(frontier: Frontier, count: int, most_bytes: float) -> Frontier | None:
    """The same frontier with room for `count` more nodes, or None if that takes more than `most_bytes`.

    Nodes and queue grow by an eighth, in place: twice the room would be a jump past half of the memory. The table of
    sets doubles; where it cannot, it keeps what it holds and remembers no more.
    """
    nodes = _grown(len(frontier.nodes), int(frontier.counts[NODES]) + count)
    queue = _grown(len(frontier.heap), int(frontier.counts[QUEUED]) + count)
    size = nodes * NODE.itemsize + queue * HEAP_ENTRY.itemsize
    if size + frontier.sets.nbytes > most_bytes or nodes > MOST_NODES:
        return None
    frontier.nodes.resize(nodes, refcheck=False)
    frontier.heap.resize(queue, refcheck=False)
    new_sets = nodes - int(frontier.counts[NODES])
    if table_is_full(frontier, new_sets) and size + 3 * frontier.sets.nbytes <= most_bytes:
        sets = np.zeros(2 * len(frontier.sets), dtype=np.uint64)
        _copy_sets(frontier.nodes, frontier.sets, sets)
        return frontier._replace(sets=sets)
    return frontier


def _grown(length: int, needed: int) -> int:
    return length if needed <= length else max(needed, length + length // GROWTH + FEWEST_MORE)


@njit(cache=True)
def table_is_full(frontier: Frontier, count: int) -> bool:
    """Whether `count` more sets would fill the table by more than two thirds, so that looking into it gets slow."""
    return 3 * (frontier.counts[SETS] + count) > 2 * len(frontier.sets)


@inner
def lacks_room(frontier: Frontier, count: int) -> bool:
    """Whether `count` more nodes may not fit."""
    return frontier.counts[NODES] + count > len(frontier.nodes) or frontier.counts[QUEUED] + count > len(frontier.heap)


@njit(cache=True)
def _copy_sets(nodes: NDArray[Any], old: NDArray[np.uint64], new: NDArray[np.uint64]) -> None:
    last = np.uint64(len(new) - 1)
    for entry in old:
        if entry != 0:
            slot = nodes[node_of(entry)].high & last
            while new[slot] != 0:
                slot = (slot + np.uint64(1)) & last
            new[slot] = entry


@inner
def node_of(entry: np.uint64) -> int:
    """The node that an entry of the table names; -1 if it is empty."""
    return np.int64(entry & np.uint64(0xFFFFFFFF)) - 1  # type: ignore[return-value]


@inner
def find_set(frontier: Frontier, low: np.uint64, high: np.uint64) -> int:
    """The slot of a set, or the empty slot where it belongs."""
    sets, last = frontier.sets, np.uint64(len(frontier.sets) - 1)
    slot = high & last
    while sets[slot] != 0:
        if sets[slot] >> np.uint64(32) == low >> np.uint64(32):
            node = frontier.nodes[node_of(sets[slot])]
            if node.low == low and node.high == high:
                break
        slot = (slot + np.uint64(1)) & last
    return np.int64(slot)  # type: ignore[return-value]


@inner
def remember_set(frontier: Frontier, slot: int, node: int) -> None:
    """Make `node` the cheapest one of its set, which belongs into `slot`."""
    if frontier.sets[slot] == 0:
        if table_is_full(frontier, 1):
            return
        frontier.counts[SETS] += 1
    high_part = frontier.nodes[node].low & np.uint64(0xFFFFFFFF00000000)
    frontier.sets[slot] = high_part | np.uint64(node + 1)


@njit(cache=True)
def add_node(
    frontier: Frontier, parent: int, rule: int, excess: int, bound: float, low: np.uint64, high: np.uint64
) -> int:
    """Add a node below `parent`, not yet queued; its index."""
    added = frontier.counts[NODES]
    node = frontier.nodes[added]
    node.parent, node.rule, node.excess, node.bound = parent, rule, excess, bound
    node.low, node.high, node.opened = low, high, 0
    node.depth = frontier.nodes[parent].depth + 1 if parent >= 0 else 0
    frontier.counts[NODES] += 1
    return added


@inner
def drop_last_node(frontier: Frontier) -> None:
    """Forget the node added last, which nothing refers to yet."""
    frontier.counts[NODES] -= 1


@njit(cache=True)
def push(frontier: Frontier, node: int, key: float) -> None:
    """Put a node into the queue."""
    heap, place = frontier.heap, frontier.counts[QUEUED]
    while place > 0:
        above = (place - 1) >> 1
        if heap[above].key <= key:
            break
        heap[place] = heap[above]
        place = above
    heap[place].key = key
    heap[place].node = node
    frontier.counts[QUEUED] += 1


@inner
def pop(frontier: Frontier) -> int:
    """Take the node of least key out of the queue."""
    heap = frontier.heap
    top = heap[0].node
    frontier.counts[QUEUED] -= 1
    frontier.counts[TAKEN] += 1
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
