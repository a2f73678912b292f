import itertools

import numpy as np
import pytest

from decisionflow.errors import InfeasibleError
from decisionflow.learn.prefix_search import gain_caps, gain_search, search, search_prefix
from decisionflow.learn.prefix_search.bits import binary_amounts, pack, restrict, room_for, total, totals_by_rule
from decisionflow.learn.prefix_search.compilation import told_if_slow
from decisionflow.learn.prefix_search.rows import merge_equal_rows, whole_weights
from decisionflow.learn.prefix_search.task import build_task, rows_needed, tie_breaker


def noisy(rows=400, columns=20, seed=3):
    rng = np.random.default_rng(seed)
    candidates = rng.random((rows, columns)) < rng.uniform(0.1, 0.6, columns)
    labels = (candidates[:, 0] ^ (rng.random(rows) < 0.3)).astype(int)
    return candidates, labels, (labels ^ (rng.random(rows) < 0.25)).astype(int)


def test_one_rule_that_corrects_the_black_box():
    candidates = np.array([[1], [1], [1], [0], [0]])
    found = search_prefix(candidates, [1, 1, 0, 0, 0], black_box=[0, 0, 0, 0, 1], regularization=0.1)
    assert found.prefix == ((0, 1),)
    assert found.objective == pytest.approx((1 + 1) / 5 + 0.1 + 0.05 * 2 / 5)
    assert (found.covered, found.gap, found.certified, found.stopped_by) == (3, 0, True, "completed")


def test_the_empty_list_is_the_black_box_alone():
    found = search_prefix([[1], [0], [1], [0]], [1, 0, 0, 1], black_box=[1, 0, 0, 0], regularization=0.3)
    assert found.prefix == ()
    assert found.objective == pytest.approx(1 / 4 + 0.125)


def test_a_tie_is_labelled_1():
    found = search_prefix([[1], [1], [0]], [0, 1, 0], paradigm="pre", min_transparency=0.5, regularization=0.01)
    assert found.prefix == ((0, 1),)


def test_full_transparency_can_be_met():
    found = search_prefix(np.ones((3, 1)), [1, 1, 0], black_box=[0, 0, 0], min_transparency=1.0)
    assert (found.prefix, found.covered) == (((0, 1),), 3)


def test_a_coverage_that_no_list_reaches_is_proved():
    with pytest.raises(InfeasibleError, match="3 of 4 rows must be covered, but all candidates together cover 2"):
        search_prefix([[1, 0], [0, 1], [0, 0], [0, 0]], [1, 0, 1, 0], paradigm="pre", min_transparency=0.75)
    with pytest.raises(InfeasibleError, match="no 1 candidates cover so many"):
        search_prefix([[1, 0], [0, 1]], [1, 0], paradigm="pre", min_transparency=1.0, max_rules=1)
    with pytest.raises(InfeasibleError):
        search_prefix(np.zeros((4, 0)), [1, 0, 1, 0], paradigm="pre", min_transparency=0.5)


def test_without_candidates_corels_answers_the_majority():
    found = search_prefix(np.zeros((4, 0)), [1, 0, 1, 1], paradigm="corels")
    assert (found.prefix, found.default_label, found.objective) == ((), 1, 0.25)


def test_candidates_keep_their_own_index():
    candidates = np.array([[0, 1, 1, 1], [0, 1, 1, 1], [0, 1, 0, 0], [0, 1, 0, 0]], dtype=bool)
    found = search_prefix(candidates, [1, 1, 0, 0], paradigm="pre", min_transparency=0.5, regularization=0.01)
    assert found.prefix == ((2, 1),)


def test_nothing_found_in_time_is_unknown_not_optimal():
    candidates, labels, black_box = noisy()
    found = search_prefix(candidates, labels, black_box=black_box, min_transparency=0.9, time_limit=0)
    assert (found.status, found.certified, found.prefix) == ("unknown", False, None)
    assert found.stopped_by == "time limit"
    assert 0 < found.lower_bound < 1
    assert found.gap == np.inf


def test_a_full_memory_gives_the_best_so_far():
    candidates, labels, black_box = noisy()
    settings = {"black_box": black_box, "min_transparency": 0.9, "regularization": 0.002}
    found = search_prefix(candidates, labels, memory_limit=1e-6, **settings)
    assert (found.status, found.stopped_by) == ("feasible", "memory limit")
    assert found.lower_bound < found.objective


def test_an_interrupt_gives_the_best_so_far():
    def interrupt(moment):
        if moment.objective < np.inf:
            raise KeyboardInterrupt

    candidates, labels, black_box = noisy()
    settings = {"black_box": black_box, "min_transparency": 0.9, "regularization": 0.002}
    found = search_prefix(candidates, labels, progress=interrupt, **settings)
    assert (found.status, found.stopped_by) == ("feasible", "interrupted")


def test_progress_closes_in_on_the_answer():
    candidates, labels, _ = noisy(columns=12)
    moments = []
    settings = {"paradigm": "pre", "min_transparency": 0.9, "regularization": 0.005}
    found = search_prefix(candidates, labels, progress=moments.append, **settings)
    assert found.certified
    assert moments
    assert all(moment.bound <= found.objective + 1e-12 <= moment.objective + 2e-12 for moment in moments)


def test_the_same_call_gives_the_same_list():
    candidates, labels, black_box = noisy(columns=12)
    calls = [search_prefix(candidates, labels, black_box=black_box, min_transparency=0.8) for _ in range(2)]
    assert calls[0].prefix == calls[1].prefix


def test_the_rows_needed_are_whole():
    assert rows_needed(0.7, 10) == 7
    assert rows_needed(0.71, 10) == 8
    assert rows_needed(1.0, 60) == 60
    assert rows_needed(0.0, 60) == 0
    assert rows_needed(0.1 + 0.2, 10) == 3
    assert tie_breaker(0.01, 10) == 0.005
    assert tie_breaker(0.5, 10) == 0.05


def test_weights_become_whole_numbers_in_proportion():
    assert list(whole_weights(np.array([2.0, 0.0, 5.0]), 3)) == [2, 0, 5]
    assert list(whole_weights(np.array([0.5, 1.5, 0.75]), 3)) == [2, 6, 3]
    rounded = whole_weights(np.array([1.0, np.pi]), 2)
    assert rounded[1] / rounded[0] == pytest.approx(np.pi, abs=1e-5)
    assert list(whole_weights(None, 2)) == [1, 1]


def test_equal_rows_and_columns_are_merged():
    candidates = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]], dtype=bool)
    labels, wrong = np.array([1, 0, 1, 1]), np.array([False, True, False, False])
    classes = merge_equal_rows(candidates, labels, wrong, np.array([1, 2, 3, 0]))
    assert list(classes.kept) == [0, 2]
    found = {tuple(row): counts for row, *counts in zip(classes.covers, classes.zeros, classes.ones, strict=True)}
    assert found == {(True, False): [2, 1], (False, True): [0, 3]}
    assert sorted(classes.black_box_errors) == [0, 2]


def test_sums_over_words_are_sums_over_classes():
    rng = np.random.default_rng(0)
    sets, kept = rng.random((7, 150)) < 0.4, rng.random(150) < 0.7
    kinds = [rng.integers(0, high, 150) for high in (200, 3, 2, 1, 9, 2**40)]
    live = room_for(binary_amounts(kinds))
    restrict(binary_amounts(kinds), pack(kept[None, :])[0], live)
    totals = np.zeros((6, 7), dtype=np.int64)
    totals_by_rule(live, np.ascontiguousarray(pack(sets).T), totals)
    assert totals.tolist() == [[int(kind[kept & one].sum()) for one in sets] for kind in kinds]
    assert [total(live, kind) for kind in range(6)] == [int(kind[kept].sum()) for kind in kinds]


@pytest.mark.parametrize("seconds", [np.inf, 1000.0])
def test_caps_are_proved_with_a_time_limit_and_without(seconds):
    candidates, labels, black_box = noisy(rows=200, columns=8)
    classes = merge_equal_rows(candidates, labels, labels != black_box, np.ones(200, dtype=np.int64))
    caps = gain_caps.GainCaps(build_task(classes, "post", 0.5, 0.02, None))
    assert caps.improve(np.inf, gain_caps.Budget(10**6, lambda: seconds, lambda: None))
    assert caps.caps[:3] == [largest_gain(classes, removals) for removals in range(3)]


def test_who_waits_for_compilation_is_told_so(caplog):
    with told_if_slow(patience=0) as timer:
        timer.join()
    assert "does not count against time_limit" in caplog.text


def test_who_does_not_wait_is_told_nothing(caplog):
    with told_if_slow(patience=60) as timer:
        pass
    timer.join()
    assert caplog.text == ""


def largest_gain(classes, removals):
    """The most that any rule less some others gains, by trying them all."""
    best = 0
    losses = (classes.ones - classes.black_box_errors, classes.zeros - classes.black_box_errors)
    rules = list(classes.covers.T)
    for rule, loss in itertools.product(rules, losses):
        for size in range(removals + 1):
            for removed in itertools.combinations(rules, size):
                left = rule & ~np.logical_or.reduce([np.zeros_like(rule), *removed])
                best = max(best, -int(loss[left].sum()))
    return best


@pytest.mark.parametrize("seed", range(12))
def test_gain_caps_are_what_rules_can_gain(seed):
    rng = np.random.default_rng(seed)
    candidates, labels = rng.random((80, 6)) < 0.5, rng.integers(0, 2, 80)
    wrong = rng.random(80) < 0.35
    classes = merge_equal_rows(candidates, labels, wrong, np.ones(80, dtype=np.int64))
    task = build_task(classes, "post", 0.5, 0.02, None)
    for removals in range(4):
        room = gain_search.room_for_removals(task.rules, removals, 0)
        while not gain_search.search_gains(task, removals, room, 5):
            pass
        assert room.facts[gain_search.BEST] == largest_gain(classes, removals)


@pytest.mark.parametrize("seed", range(60))
def test_starts_and_gain_caps_change_no_answer(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    candidates, labels = rng.random((60, 7)) < rng.uniform(0.2, 0.7, 7), rng.integers(0, 2, 60)
    black_box = labels ^ (rng.random(60) < 0.4)
    settings = {"black_box": black_box, "min_transparency": [0.0, 0.5, 0.8][seed % 3], "regularization": 0.01}
    plain = search_prefix(candidates, labels, **settings)
    monkeypatch.setattr(search, "ROUNDS", (search.Round(0, 0.0, 1), search.Round(1, 0.5, None)))
    monkeypatch.setattr(search, "MOST_VISITS", [10, 100, 10**6][seed // 3 % 3])
    capped = search_prefix(candidates, labels, **settings)
    assert capped.certified
    assert capped.objective == pytest.approx(plain.objective, abs=1e-12)
