"""Which source column each column after preprocessing was made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.models.pipelines import column_groups, is_passthrough, steps

Sources = NDArray[np.intp]
ONE_TO_ONE = (
    "Binarizer",
    "MaxAbsScaler",
    "MinMaxScaler",
    "OrdinalEncoder",
    "PowerTransformer",
    "QuantileTransformer",
    "RobustScaler",
    "StandardScaler",
)


def sources_after(transformers: list[Any], width: int) -> Sources | None:
    """For each column that the fitted steps put out, the position of the one source column it is made of.

    None when some step mixes columns, or is not known to leave them apart.
    """
    sources: Sources | None = np.arange(width)
    for step in transformers:
        made = _made_of(step, len(sources)) if sources is not None else None
        sources = sources[made] if sources is not None and made is not None else None
    return sources


def _made_of(step: Any, width: int) -> Sources | None:
    """For each output column of one step, the input column it is made of."""
    from sklearn.compose import ColumnTransformer
    from sklearn.feature_selection import SelectorMixin

    if isinstance(step, ColumnTransformer):
        return _by_group(step)
    if isinstance(step, SelectorMixin):
        return np.flatnonzero(step.get_support())
    if not type(step).__module__.startswith("sklearn."):
        return None
    counts = _output_counts(step, width)
    return None if counts is None else np.repeat(np.arange(width), counts)


def _by_group(transformer: Any) -> Sources | None:
    made = []
    for part, places in column_groups(transformer):
        if (isinstance(part, str) and part == "drop") or not places:
            continue
        within = np.arange(len(places)) if is_passthrough(part) else sources_after(steps(part), len(places))
        if within is None:
            return None
        made.append(np.asarray(places)[within])
    return np.concatenate(made) if made else np.empty(0, dtype=np.intp)


def _output_counts(step: Any, width: int) -> list[int] | None:
    """How many neighbouring output columns each input column gives, where a step keeps columns apart and in order."""
    kind = type(step).__name__
    if kind in ONE_TO_ONE:
        return [1] * width
    if kind == "OneHotEncoder":
        return [int(count) for count in step._n_features_outs]
    if kind == "KBinsDiscretizer":
        return [1] * width if step.encode == "ordinal" else [int(count) for count in step.n_bins_]
    if kind == "SplineTransformer":
        return [step.n_features_out_ // width] * width
    if kind == "SimpleImputer" and not step.add_indicator:
        kept = [step.keep_empty_features or not _is_nan(each) for each in step.statistics_]
        return [int(each) for each in kept]
    if kind == "FunctionTransformer" and (step.func is None or isinstance(step.func, np.ufunc)):
        return [1] * width
    return None


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and bool(np.isnan(value))
