"""The trade-off of a list over eight rows, counted by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from decisionflow.learn.trade_off import Autac, TradeOff, measure_trade_off

LABELS = np.array([1, 1, 1, 0, 0, 0, 1, 0], dtype=np.int8)
BLACK_BOX = np.array([1, 1, 0, 0, 0, 1, 1, 0], dtype=np.int8)
DECIDING = np.array([0, 0, 0, 0, 1, 1, -1, -1])
OUTCOMES = np.array([1, 0], dtype=np.int8)


def measured(weights: np.ndarray) -> TradeOff:
    return measure_trade_off(DECIDING, OUTCOMES, LABELS, BLACK_BOX, weights)


def test_points_by_hand() -> None:
    alone, one, two = measured(np.ones(8)).points
    assert (alone.transparency, alone.accuracy, alone.fidelity) == (0, 6 / 8, 1)
    assert np.isnan(alone.black_box_accuracy)
    assert (one.rules, one.transparency, one.accuracy, one.fidelity) == (1, 4 / 8, 6 / 8, 6 / 8)
    assert one.black_box_accuracy == 3 / 4
    assert (two.transparency, two.accuracy, two.fidelity, two.black_box_accuracy) == (6 / 8, 7 / 8, 5 / 8, 4 / 6)


def test_autac_by_hand_ends_where_the_list_ends() -> None:
    autac = measured(np.ones(8)).autac
    assert autac == pytest.approx(0.5 * 6 / 8 + 0.25 * (6 / 8 + 7 / 8) / 2)
    assert autac.transparency == 6 / 8
    assert str(autac) == "0.5781 up to transparency 0.7500"
    assert pickle.loads(pickle.dumps(autac)).transparency == 6 / 8


def test_a_weight_of_two_is_a_row_twice() -> None:
    weights = np.array([2.0, 1, 1, 1, 1, 1, 1, 1])
    twice = np.r_[0, np.arange(8)]
    repeated = measure_trade_off(DECIDING[twice], OUTCOMES, LABELS[twice], BLACK_BOX[twice], np.ones(9))
    np.testing.assert_allclose(measured(weights)["accuracy"], repeated["accuracy"])
    np.testing.assert_allclose(measured(weights)["transparency"], repeated["transparency"])


def test_no_rules_is_the_black_box_alone() -> None:
    trade_off = measure_trade_off(np.full(8, -1), np.zeros(0, dtype=np.int8), LABELS, BLACK_BOX, np.ones(8))
    assert len(trade_off) == 1
    assert trade_off.autac == Autac(0.0, 0.0)


def test_columns_frame_and_text() -> None:
    trade_off = measured(np.ones(8))
    assert trade_off["rules"].tolist() == [0, 1, 2]
    assert trade_off.to_frame()["transparency"].tolist() == [0, 0.5, 0.75]
    assert trade_off.to_text().split("\n")[2].split() == ["1", "50.00%", "75.00%", "75.00%", "75.00%"]
