"""What a library returns, as the columns that the language knows."""

from __future__ import annotations

import math
import unicodedata
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from decisionflow.errors import ModelError
from decisionflow.models import messages

if TYPE_CHECKING:
    import pandas as pd


def widened(values: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers as float64; single precision becomes the shortest decimal that prints the same, so 0.35 stays 0.35."""
    if values.dtype.kind == "f" and values.dtype.itemsize < 8:
        return values.astype(str).astype(np.float64)
    return values.astype(np.float64)


def one_column(name: str, raw: NDArray[Any]) -> NDArray[Any]:
    """An array (n,) from one of shape (n,) or (n, 1); raises ModelError for another shape."""
    if raw.ndim == 2 and raw.shape[1] == 1:
        return raw[:, 0]
    if raw.ndim != 1:
        raise ModelError(messages.wrong_shape(name, raw.shape))
    return raw


def numbers_of(name: str, raw: NDArray[Any], kind: str) -> tuple[NDArray[np.float64], dict[int, ModelError]]:
    """Finite numbers (n,), NaN where there is none, and those places with their errors."""
    values = widened(raw) if raw.dtype.kind in "biuf" else np.array([_number(each) for each in raw.tolist()])
    values = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(values)
    if finite.all():
        return values, {}
    lost = np.flatnonzero(~finite).tolist()
    found = {place: ModelError(messages.not_a_number(name, kind, raw[place])) for place in lost}
    return np.where(finite, values, np.nan), found


def labels_of(name: str, raw: NDArray[Any]) -> tuple[NDArray[Any], dict[int, ModelError]]:
    """Labels as text (n,), None where there is none, and those places with their errors."""
    values = np.empty(len(raw), dtype=object)
    found: dict[int, ModelError] = {}
    for place, each in enumerate(raw.tolist()):
        values[place] = label_text(each)
        if values[place] is None:
            found[place] = ModelError(messages.not_a_label(name, each))
    return values, found


def label_text(value: object) -> str | None:
    """A class as a label of a vocabulary: 1 and 1.0 are `1`, True is `true`, text is in composed form (NFC).

    None for what is missing, and for what is neither text, number nor truth value.
    """
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, str):
        return unicodedata.normalize("NFC", plain)
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, int):
        return str(plain)
    if isinstance(plain, float) and math.isfinite(plain):
        return str(int(plain)) if plain.is_integer() else repr(plain)
    return None


def trained(series: pd.Series[Any], categories: tuple[Any, ...]) -> pd.Categorical:
    """A column with the training vocabulary and its order, whatever values it happens to hold."""
    import pandas as pd

    return pd.Categorical(series, categories=list(categories))


def is_missing(value: Any) -> bool:
    """Whether a single value stands for nothing: None, NaN, NaT, pandas' NA."""
    import pandas as pd

    return bool(pd.api.types.is_scalar(value) and pd.isna(value))


def _number(value: object) -> float:
    """NaN for what is no number: text that looks like one is still text."""
    if isinstance(value, np.floating):
        return float(widened(np.asarray(value)))
    return float(value) if isinstance(value, Real | Decimal) else math.nan
