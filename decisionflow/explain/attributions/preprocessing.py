"""A fitted pipeline taken apart: from source columns to what its last step reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from decisionflow.explain.attributions.sources import Sources, sources_after
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

    def matrix(self, rows: pd.DataFrame) -> NDArray[np.float64]:
        """What the last step reads, as numbers (n, m)."""
        read = self.read(rows)
        if hasattr(read, "toarray"):
            read = read.toarray()
        return np.asarray(read, dtype=np.float64)

    def read(self, rows: pd.DataFrame) -> Any:
        """What the last step reads, as its pipeline hands it over."""
        given = handover(self.model.subject)(self.model.table(rows))
        for step in self.transformers:
            given = step.transform(given)
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
    return None if sources is None else Preprocessing(model, columns, tuple(transformers), last, sources)
