"""A fitted pipeline taken apart: from source columns to what its last step reads."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.errors import ModelError
from decisionflow.explain.attributions.columnwise import Columnwise, columnwise_of
from decisionflow.explain.attributions.sources import Sources, sources_after
from decisionflow.models import messages
from decisionflow.models.estimators import handover
from decisionflow.models.model import Model
from decisionflow.models.pipelines import steps

NATIVE = ("xgboost", "lightgbm", "catboost")


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """The steps before the last one, `last`, and the source column (position) of each column that `last` reads."""

    model: Model
    columns: tuple[str, ...]
    transformers: tuple[Any, ...]
    last: Any
    sources: Sources
    compiled: Columnwise | None = None

    def matrix(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """What the last step reads, as numbers (n, m)."""
        quick = self.compiled.matrix(self.model.table(rows)) if self.compiled is not None else None
        if quick is not None:
            return quick
        read = self.read(rows)
        if hasattr(read, "toarray"):
            read = read.toarray()
        return np.asarray(read, dtype=np.float64)

    def read(self, rows: pd.DataFrame) -> Any:
        """What the last step reads, as its pipeline hands it over."""
        given = handover(self.model.subject)(self.model.table(rows))
        try:
            for step in self.transformers:
                given = step.transform(given)
        except Exception as error:
            raise ModelError(messages.failed(self.model.name, error)) from error
        return given

    def summed(self, phi: NDArray[np.float64]) -> NDArray[np.float64]:
        """Contributions (n, m) of the columns read, summed with their signs over each source column (n, d)."""
        return phi @ np.eye(len(self.columns))[self.sources]


def preprocessing_of(model: Model, background: pd.DataFrame) -> Preprocessing | None:
    """The model's estimator taken apart; None where it is none, where its steps mix columns or it reads categories."""
    from sklearn.base import BaseEstimator

    native = type(model.subject).__module__.partition(".")[0] in NATIVE
    if model.categories or not (native or isinstance(model.subject, BaseEstimator)):
        return None
    *transformers, last = steps(model.subject)
    columns = model.inputs if model.inputs is not None else tuple(str(each) for each in background.columns)
    sources = sources_after(transformers, len(columns))
    if sources is None:
        return None
    taken_apart = Preprocessing(model, columns, tuple(transformers), last, sources)
    compiled = columnwise_of(transformers)
    return replace(taken_apart, compiled=compiled) if _same(taken_apart, compiled, background) else taken_apart


def _same(taken_apart: Preprocessing, compiled: Columnwise | None, background: pd.DataFrame) -> bool:
    """Whether the compiled steps give what the real ones give on the background."""
    quick = compiled.matrix(taken_apart.model.table(background)) if compiled is not None else None
    if quick is None:
        return False
    real = taken_apart.matrix(background)
    return quick.shape == real.shape and bool(np.allclose(quick, real, rtol=1e-12, atol=1e-12, equal_nan=True))
