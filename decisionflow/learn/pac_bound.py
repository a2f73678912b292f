"""How far a hybrid model can be trusted to generalise, and at which transparency most (Ferry et al., section 2).

Theorem 1 bounds the chance that the hybrid of least training error errs on more than a share epsilon of new rows,
given that some hybrid with this region errs nowhere. The area under the bound over all epsilon is smallest at a sweet
spot of transparency. Where the terms with C^M vanish, the area divided by |H_s| is close to

    N / (M (1 - C)) + 1 / (M C),      N = |H_c| / |H_s|,

which is smallest at C = 1 / (1 + sqrt(N)), with value (1 + sqrt(N))^2 / M. So the sweet spot falls with N, as
Figure 4(a) shows, but does not move with M: the growth in Figure 4(b) does not survive careful quadrature. Nearly
all of the area lies at epsilon near 1/M, which evenly spaced points miss; here they are spaced evenly in log epsilon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import simpson
from scipy.optimize import minimize_scalar

from decisionflow.learn.learning_errors import SettingError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
SMALLEST_EPSILON = 1e-12
POINTS = 4001
DEPTH_3_TREES = float(2**8 * 200 * 199**2 * 198**4)
"""|H_s| of section 2.3: binary trees of depth 3 on 200 binary features."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """The sizes |H_s| of the simple and |H_c| of the complex set of models, and the number M of training rows."""

    simple: float
    complex: float
    rows: int

    def __post_init__(self) -> None:
        if self.simple < 1 or self.complex < 1 or self.rows < 1:
            raise SettingError("both sets need at least one model, and training at least one row")

    @property
    def ratio(self) -> float:
        """N = |H_c| / |H_s|."""
        return self.complex / self.simple


@dataclass(frozen=True, slots=True)
class SweetSpot:
    """The transparency where the area under the bound is smallest, and this area."""

    transparency: float
    area: float


def pac_bound(epsilon: Any, transparency: float, hypotheses: Hypotheses) -> Floats:
    """B(epsilon, C, H_c, H_s, M) of Theorem 1, Eq. 3, for each epsilon in (0, 1]; may exceed 1.

    Powers are taken through log1p, so that neither a large M nor an epsilon near 0 loses digits.
    """
    errors = np.asarray(epsilon, dtype=np.float64)
    ruled, boxed = _share(transparency), 1.0 - _share(transparency)
    complex_term = hypotheses.complex * _difference(errors, ruled, boxed, hypotheses.rows)
    simple_term = hypotheses.simple * _difference(errors, boxed, ruled, hypotheses.rows)
    return np.asarray(complex_term + simple_term + ruled**hypotheses.rows + boxed**hypotheses.rows)


def _difference(errors: Floats, settled: float, open_share: float, rows: int) -> Floats:
    """(open e^-epsilon + settled)^M - settled^M."""
    return np.exp(rows * np.log1p(open_share * np.expm1(-errors))) - settled**rows


def _share(transparency: float) -> float:
    if not 0 <= transparency <= 1:
        raise SettingError(f"transparency is a share from 0 to 1, not {transparency}")
    return float(transparency)


def bound_area(transparency: float, hypotheses: Hypotheses) -> float:
    """AUC(C, H_c, H_s, M): the bound integrated over epsilon from 0 to 1 (section 2.3)."""
    logs = np.linspace(np.log(SMALLEST_EPSILON), 0.0, POINTS)
    epsilon = np.exp(logs)
    bound = pac_bound(epsilon, transparency, hypotheses)
    return float(simpson(bound * epsilon, x=logs) + bound[0] * SMALLEST_EPSILON)


def closed_form_area(transparency: float, hypotheses: Hypotheses) -> float:
    """The area's approximation where C^M and (1 - C)^M vanish: |H_c| / (M (1 - C)) + |H_s| / (M C)."""
    ruled = _share(transparency)
    return (hypotheses.complex / (1 - ruled) + hypotheses.simple / ruled) / hypotheses.rows


def sweet_spot(hypotheses: Hypotheses) -> SweetSpot:
    """The transparency inside (0, 1) with the smallest area, by bounded search over its log-odds."""
    found = minimize_scalar(
        lambda log_odds: np.log(bound_area(_from_log_odds(log_odds), hypotheses)),
        bounds=(-12.0, 12.0),
        method="bounded",
    )
    transparency = _from_log_odds(float(found.x))
    return SweetSpot(transparency, bound_area(transparency, hypotheses))


def _from_log_odds(log_odds: float) -> float:
    return float(1.0 / (1.0 + np.exp(-log_odds)))


def plot_bound_area(
    ratios: Sequence[float] = (10, 100, 1000),
    rows: Sequence[int] = (1000, 5000, 25000),
    simple: float = DEPTH_3_TREES,
) -> Figure:
    """A figure like Figure 4: area / |H_s| over transparency, for several N with M = 5000, and several M with N = 100.

    A dot marks each sweet spot.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for ratio in ratios:
        _draw(left, Hypotheses(simple, ratio * simple, 5000), f"N = {ratio:g}")
    for count in rows:
        _draw(right, Hypotheses(simple, 100 * simple, count), f"M = {count}")
    left.set_title("Varying N with M = 5000")
    right.set_title("Varying M with N = 100")
    return figure


def _draw(axes: Any, hypotheses: Hypotheses, label: str) -> None:
    transparencies = np.linspace(0.01, 0.99, 50)
    areas = [bound_area(float(share), hypotheses) / hypotheses.simple for share in transparencies]
    best = sweet_spot(hypotheses)
    (line,) = axes.plot(transparencies, areas, label=label)
    axes.plot([best.transparency], [best.area / hypotheses.simple], "o", color=line.get_color())
    axes.set(xlabel="transparency", ylabel="area / |H_s|", yscale="log")
    axes.legend()
