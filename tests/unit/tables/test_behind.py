"""What is done behind is done in order, all of it or, after a failure, nothing more."""

from __future__ import annotations

import threading

import pytest

from decisionflow.tables.writing.behind import MOST_WAITING, behind


def test_everything_is_done_in_order_by_the_end_of_the_block() -> None:
    done: list[int] = []
    with behind(done.append) as later:
        for number in range(100):
            later(number)
    assert done == list(range(100))


def test_no_more_calls_wait_than_may() -> None:
    started, go = threading.Semaphore(0), threading.Event()
    done: list[int] = []

    def slow(number: int) -> None:
        started.release()
        go.wait()
        done.append(number)

    with behind(slow) as later:
        for number in range(MOST_WAITING):
            later(number)
        started.acquire()
        assert done == []
        go.set()
        later(MOST_WAITING)
        assert done[0] == 0
    assert done == list(range(MOST_WAITING + 1))


def test_what_a_call_raises_ends_the_block_and_nothing_more_is_done() -> None:
    done: list[int] = []

    def picky(number: int) -> None:
        if number == 3:
            raise ValueError("three")
        done.append(number)

    with pytest.raises(ValueError, match="three"), behind(picky) as later:
        for number in range(1_000):
            later(number)
    assert done[:3] == [0, 1, 2]
    assert len(done) < 1_000


def test_a_block_that_fails_waits_for_the_call_under_way_and_drops_the_others() -> None:
    started, go = threading.Event(), threading.Event()
    done: list[int] = []

    def slow(number: int) -> None:
        started.set()
        go.wait()
        done.append(number)

    with pytest.raises(KeyboardInterrupt), behind(slow) as later:
        later(0)
        later(1)
        started.wait()
        threading.Timer(0, go.set).start()
        raise KeyboardInterrupt
    assert done[0] == 0
    assert len(done) <= 2
