"""How often rules and black box err for whom, on the rows that learning held out.

Run from anywhere: `python policies/recidivism/error_rates.py`. A false alarm is a `yes` for somebody who was not
charged again, a miss a `no` for somebody who was; both rates are shares of those people.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import decisionflow
from decisionflow.learn.learning_run import split_rows

FOLDER = Path(__file__).parent
HEAD = (
    "group",
    "rows",
    "charged again",
    "rules decide",
    "false alarms",
    "misses",
    "false alarms alone",
    "misses alone",
)


def measured() -> pd.DataFrame:
    """The held-out defendants with the answers of the policy and of its black box alone, and who answered."""
    everyone = pd.read_csv(FOLDER / "defendants.csv")
    rows = everyone.iloc[split_rows(len(everyone), held_out=0.25, seed=0)[1]]
    policy = decisionflow.load_policy(FOLDER / "recidivism.dflow")
    together, alone = policy.evaluate(rows)["reoffends"], policy.evaluate(rows, transparency=0)["reoffends"]
    return rows.assign(together=together.value, by_rule=np.asarray(together.rule) != "black_box", alone=alone.value)


def groups(rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Everybody, then each value of each column that parts people."""
    bands = pd.cut(rows["age"], [0, 24, 39, 120], labels=["under 25", "25 to 39", "40 and older"])
    yield "everybody", rows
    for title, values in (("race", rows["race"]), ("sex", rows["sex"]), ("age", bands)):
        for value, members in rows.groupby(values, observed=True):
            yield f"{title}: {value}", members


def error_rates(rows: pd.DataFrame) -> list[str]:
    """Shares of one group, as the table shows them."""
    again, answers = rows["two_year_recid"] == "yes", [rows["together"] == "yes", rows["alone"] == "yes"]
    rates = [share for said in answers for share in (said[~again].mean(), 1 - said[again].mean())]
    return [str(len(rows)), *(f"{share:.1%}" for share in (again.mean(), rows["by_rule"].mean(), *rates))]


def table() -> str:
    """The table of the README."""
    lines = [HEAD, ["---"] * len(HEAD), *([name, *error_rates(rows)] for name, rows in groups(measured()))]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    print(table())
