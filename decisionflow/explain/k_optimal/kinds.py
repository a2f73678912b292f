"""The four kinds of local rules (LoRMIkA, section 3.7): does the rule hold at the row, and does it agree?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from decisionflow.explain.k_optimal.rule import KOptimalRule, best_first
from decisionflow.explain.k_optimal.rules import Mining, mine

SUPPORTING = "supporting"
CONTRADICTING = "contradicting"
HYPOTHETICALLY_SUPPORTING = "hypothetically supporting"
HYPOTHETICALLY_CONTRADICTING = "hypothetically contradicting"

KINDS = (SUPPORTING, CONTRADICTING, HYPOTHETICALLY_SUPPORTING, HYPOTHETICALLY_CONTRADICTING)


def rules_by_kind(
    frame: pd.DataFrame,
    labels: ArrayLike,
    row: Mapping[Hashable, Any],
    decision: object,
    mining: Mining | None = None,
) -> dict[str, list[KOptimalRule]]:
    """The k best rules of each kind for a row, whose labels are `row` (column -> label) and whose class is `decision`.

    `frame` `(n, d)` and `labels` `(n,)` are those of the neighbourhood. A rule is hypothetical when at least one of its
    conditions is not true of the row; a missing label satisfies none. A rule contradicts when it concludes another
    class: all classes other than the decision compete for the same k places, and a tie is broken by the class's text.
    The kind does not touch what makes a rule redundant, productive or significant, which the rows of the neighbourhood
    say alone.
    """
    mining = mining or Mining()
    classes = [label for label in pd.unique(pd.Series(labels).dropna()).tolist() if label != decision]
    return {
        SUPPORTING: mine(frame, labels, decision, mining, row, holds=True),
        CONTRADICTING: _others(frame, labels, classes, mining, row, holds=True),
        HYPOTHETICALLY_SUPPORTING: mine(frame, labels, decision, mining, row, holds=False),
        HYPOTHETICALLY_CONTRADICTING: _others(frame, labels, classes, mining, row, holds=False),
    }


def _others(
    frame: pd.DataFrame,
    labels: ArrayLike,
    classes: list[Any],
    mining: Mining,
    row: Mapping[Hashable, Any],
    holds: bool,
) -> list[KOptimalRule]:
    rules = [rule for other in classes for rule in mine(frame, labels, other, mining, row, holds)]
    return best_first(rules, mining.measure)[: mining.k]
