"""Black boxes as the command line is given them: a model file, a column of answers, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder

from decisionflow.errors import ModelError
from decisionflow.learn.policy_words import label_word
from decisionflow.models.model import Model
from decisionflow.types import ModelOutput

TREES = 100


@dataclass(frozen=True, eq=False)
class ModelBlackBox:
    """A model as policies bind it, answering with the target's own labels."""

    model: Model
    labels: Sequence[Any]

    def predict(self, table: pd.DataFrame) -> NDArray[Any]:
        """Labels `(n,)`; raises ModelError where the model fails or answers with another label."""
        known = {label_word(label): label for label in self.labels}
        answers = self.model.column(table, ModelOutput("label"))
        strange = next((answer for answer in answers if answer not in known), None)
        if strange is not None:
            raise ModelError(
                f"the black box {self.model.name} answers `{strange}`, but the target holds {' and '.join(known)}: "
                "give a classifier of the same labels"
            )
        return np.array([known[answer] for answer in answers])


@dataclass(frozen=True, eq=False)
class RecordedAnswers:
    """A black box of which only the answers are known, by the index of the rows."""

    answers: pd.Series[Any]

    def predict(self, table: pd.DataFrame) -> NDArray[Any]:
        """Labels `(n,)` of rows that have been recorded."""
        return self.answers.loc[table.index].to_numpy()


def portable_forest(table: pd.DataFrame, seed: int) -> Pipeline:
    """An unfitted random forest over the table's columns, of scikit-learn's own parts only, labels one-hot encoded.

    Missing numbers go to the better side of a split. Depth and splits are those of the hybrid models' paper, section
    5.2, as in `TableForest`; unlike that one, it can be stored as a file that anyone opens without trust.
    """
    labels = [name for name in table.columns if table[name].dtype == object and not _is_truths(table[name])]
    encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    forest = RandomForestClassifier(TREES, max_depth=10, min_samples_split=10, random_state=seed)
    return make_pipeline(make_column_transformer((encoder, labels), remainder="passthrough"), forest)


def _is_truths(column: pd.Series[Any]) -> bool:
    present = column.dropna()
    return len(present) > 0 and all(isinstance(value, bool) for value in present)
