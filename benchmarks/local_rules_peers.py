"""Rules of the packages anchor-exp and lore-sa for `local_rules.py`, which runs this file with another interpreter.

    python -m venv anchor_env && anchor_env/bin/pip install anchor-exp
    python -m venv lore_env   && lore_env/bin/pip install lore-sa
    DECISIONFLOW_ANCHOR_PYTHON=anchor_env/bin/python DECISIONFLOW_LORE_PYTHON=lore_env/bin/python \\
        python benchmarks/local_rules.py …

It needs no decisionflow. The folder that it is given holds `task.json` (the names of the columns and of the black box,
and the numbers of rows and runs) and `data.npz` (0 and 1: train, background, test; and the labels of train). The black
box is fitted here once more, with the same seed; `found.json` gives its answers on the test rows, so that the caller
can tell whether it is the same, and for each row and run the rule with the CPU seconds that it took. What a package
raises is told in place of a rule.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

BLACK_BOXES: dict[str, Callable[[], Any]] = {
    "DT": lambda: DecisionTreeClassifier(random_state=0),
    "LR": lambda: LogisticRegression(max_iter=1000),
    "NN": lambda: MLPClassifier(solver="lbfgs", max_iter=1000, random_state=0),
    "RF": lambda: RandomForestClassifier(100, random_state=0),
    "SVM": lambda: SVC(random_state=0),
}
Explain = Callable[[np.ndarray, int], tuple[list[str], str]]
"""The conditions of one row's rule, as a policy writes them, and the class that it concludes, for a seed."""


def of_anchor_exp(data: dict[str, np.ndarray], columns: list[str], black_box: Any) -> Explain:
    """Anchors with a precision of 0.95; the conditions are column = value."""
    from anchor.anchor_tabular import AnchorTabularExplainer

    words = {place: ["false", "true"] for place in range(len(columns))}
    explainer = AnchorTabularExplainer(["no", "yes"], columns, data["background"], words)

    def explain(row: np.ndarray, seed: int) -> tuple[list[str], str]:
        np.random.seed(seed)
        answers = lambda matrix: (black_box.predict(matrix) == "yes").astype(int)  # noqa: E731
        found = explainer.explain_instance(row, answers, threshold=0.95)
        return list(found.names()), str(black_box.predict(row[np.newaxis])[0])

    return explain


def of_lore_sa(data: dict[str, np.ndarray], columns: list[str], black_box: Any) -> Explain:
    """The rule of LORE's tree over 1,000 rows from its genetic algorithm; every column is one of two labels."""
    import pandas as pd
    from lore_sa.dataset import TabularDataset
    from lore_sa.lore import TabularGeneticGeneratorLore

    class Answers:
        def predict(self, rows: Any) -> np.ndarray:
            return np.asarray(black_box.predict(np.asarray(rows).astype(int)))

    known = pd.DataFrame(data["background"], columns=columns)
    known["answer"] = black_box.predict(data["background"])
    dataset = TabularDataset(known, "answer", categorial_columns=[*columns, "answer"])
    explainer = TabularGeneticGeneratorLore(Answers(), dataset)

    def explain(row: np.ndarray, seed: int) -> tuple[list[str], str]:
        random.seed(seed)
        np.random.seed(seed)
        rule = explainer.explain(row)["rule"]
        return [_condition(one) for one in rule["premises"]], str(rule["consequence"]["val"])

    return explain


def _condition(one: dict[str, Any]) -> str:
    """`column = 1` or `column != 1` with words in place of the numbers."""
    same = (str(one["val"]) in {"1", "1.0", "True"}) == (one["op"] == "=")
    return f"{one['attr']} = {'true' if same else 'false'}"


METHODS = {"anchor-exp": of_anchor_exp, "lore-sa": of_lore_sa}


def timed(explain: Explain, row: np.ndarray, seed: int) -> dict[str, Any]:
    start = time.process_time()
    try:
        conditions, concluded = explain(row, seed)
        failed = None
    except Exception as problem:
        conditions, concluded, failed = [], "", f"{type(problem).__name__}: {problem}"
    seconds = time.process_time() - start
    return {"conditions": " and ".join(conditions), "concluded": concluded, "seconds": seconds, "failed": failed}


def main(method: str, folder: Path) -> None:
    task = json.loads((folder / "task.json").read_text())
    with np.load(folder / "data.npz") as kept:
        data = {name: kept[name] for name in kept}
    black_box = BLACK_BOXES[task["model"]]().fit(data["train"], data["labels"])
    explain = METHODS[method](data, task["columns"], black_box)
    timed(explain, data["test"][task["rows"]], 0)
    rules = [[timed(explain, data["test"][row], seed) for seed in range(task["runs"])] for row in range(task["rows"])]
    answers = black_box.predict(data["test"]).tolist()
    (folder / "found.json").write_text(json.dumps({"answers": answers, "rules": rules}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
