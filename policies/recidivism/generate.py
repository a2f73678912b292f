"""Make this policy's data and black box: defendants drawn with a seed, and a random forest of who is charged again.

Run from anywhere: `python policies/recidivism/generate.py`. Nobody here exists. The columns are named like those of the
COMPAS study's two-year data, the shape is ours: most people have few prior charges, charges come earlier in life for
some than for others, and a new charge within two years is likelier for the young and for those with a longer record.
Police look at one neighbourhood more than at the other, so that people from there have more charges on record for the
same conduct: what such records measure is not only what people did. `race` stands for that neighbourhood's majority.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import skops.io
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

FOLDER = Path(__file__).parent
LABELS = ["sex", "charge_degree"]
NUMBERS = ["age", "juvenile_felonies", "juvenile_misdemeanors", "priors", "days_in_jail"]


def defendants(count: int, seed: int) -> pd.DataFrame:
    """Defendants with the columns of the policy's features, their group, and `two_year_recid`."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["A", "B"], count, p=[0.45, 0.55])
    watched = np.where(group == "A", 1.5, 1.0)
    sex = rng.choice(["male", "female"], count, p=[0.8, 0.2])
    age = np.clip(18 + rng.gamma(1.7, 9.5, count), 18, 80).astype(int)
    conduct = rng.gamma(0.9, 1.0, count) * np.where(sex == "male", 1.1, 0.8)
    priors = rng.poisson(conduct * watched * np.minimum(age - 16, 20) / 7)
    juvenile = conduct * watched * (age < 40)
    felony = rng.random(count) < 0.55 + 0.04 * np.minimum(priors, 5)
    days = np.where(rng.random(count) < 0.3, 0, rng.gamma(0.7, 14 + 12 * felony + 4 * np.minimum(priors, 8), count))
    drive = -1.2 + 1.0 * conduct * watched - 0.065 * (age - 30) + 0.12 * np.minimum(priors, 10)
    return pd.DataFrame(
        {
            "sex": sex,
            "age": age,
            "race": group,
            "juvenile_felonies": rng.poisson(0.05 * juvenile),
            "juvenile_misdemeanors": rng.poisson(0.12 * juvenile),
            "priors": priors,
            "charge_degree": np.where(felony, "felony", "misdemeanor"),
            "days_in_jail": days.astype(int),
            "two_year_recid": np.where(rng.random(count) < 1 / (1 + np.exp(-drive)), "yes", "no"),
        }
    )


def main() -> None:
    """Write `defendants.csv`, and `models/forest.skops` fitted to other, earlier defendants without their group."""
    earlier, today = defendants(6000, seed=11), defendants(4000, seed=12)
    forest = make_pipeline(
        make_column_transformer((OneHotEncoder(), LABELS), ("passthrough", NUMBERS)),
        RandomForestClassifier(60, max_depth=8, min_samples_leaf=5, random_state=0),
    )
    forest.fit(earlier[LABELS + NUMBERS], earlier["two_year_recid"])
    (FOLDER / "models").mkdir(exist_ok=True)
    skops.io.dump(forest, FOLDER / "models" / "forest.skops", compression=8)
    today.to_csv(FOLDER / "defendants.csv", index=False, lineterminator="\n")


if __name__ == "__main__":
    main()
