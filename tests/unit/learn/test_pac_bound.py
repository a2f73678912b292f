"""Theorem 1 against its plain formula, the closed form of its area, and where the smallest area lies."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.pac_bound import (
    DEPTH_3_TREES,
    Hypotheses,
    bound_area,
    closed_form_area,
    pac_bound,
    plot_bound_area,
    sweet_spot,
)


def plain_bound(epsilon: float, ruled: float, simple: float, complex_: float, rows: int) -> float:
    boxed = 1 - ruled
    return (
        (1 - complex_) * ruled**rows
        + (1 - simple) * boxed**rows
        + complex_ * (boxed * math.exp(-epsilon) + ruled) ** rows
        + simple * (ruled * math.exp(-epsilon) + boxed) ** rows
    )


@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("ruled", [0.0, 0.2, 0.9, 1.0])
def test_the_bound_is_theorem_1(epsilon: float, ruled: float) -> None:
    assert pac_bound(epsilon, ruled, Hypotheses(16, 512, 40)) == pytest.approx(
        plain_bound(epsilon, ruled, 16, 512, 40), rel=1e-9
    )


def test_without_transparency_the_bound_is_trivial() -> None:
    """Section 2.2: at C = 0 the bound is 1 + |H_c| e^(-epsilon M)."""
    assert pac_bound(0.1, 0.0, Hypotheses(8, 64, 50)) == pytest.approx(1 + 64 * math.exp(-5))


def test_the_area_is_the_integral() -> None:
    hypotheses = Hypotheses(16, 512, 40)
    expected, _ = quad(lambda epsilon: plain_bound(epsilon, 0.3, 16, 512, 40), 0, 1, epsabs=0, epsrel=1e-10)
    assert bound_area(0.3, hypotheses) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("rows", [1_000, 5_000, 25_000])
@pytest.mark.parametrize("ratio", [10, 100, 1000])
def test_the_sweet_spot_falls_with_the_ratio_and_not_with_the_rows(ratio: float, rows: int) -> None:
    hypotheses = Hypotheses(DEPTH_3_TREES, ratio * DEPTH_3_TREES, rows)
    found = sweet_spot(hypotheses)
    assert found.transparency == pytest.approx(1 / (1 + math.sqrt(ratio)), rel=0.04)
    assert found.area / hypotheses.simple == pytest.approx((1 + math.sqrt(ratio)) ** 2 / rows, rel=0.002)
    assert found.area == pytest.approx(closed_form_area(found.transparency, hypotheses), rel=0.002)
    around = [bound_area(found.transparency * factor, hypotheses) for factor in (0.9, 1.1)]
    assert found.area < min(around)


def test_the_size_of_the_simple_models_is_the_papers() -> None:
    assert pytest.approx(3.11e18, rel=0.01) == DEPTH_3_TREES


def test_the_figure_has_a_curve_and_a_dot_for_each_setting() -> None:
    figure = plot_bound_area(ratios=(10, 100), rows=(1000,))
    assert [len(axes.lines) for axes in figure.axes] == [4, 2]


def test_senseless_sizes_are_refused() -> None:
    with pytest.raises(SettingError):
        Hypotheses(0.5, 10, 10)
    with pytest.raises(SettingError):
        pac_bound(np.array([0.1]), 1.2, Hypotheses(1, 1, 1))
