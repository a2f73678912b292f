"""Make this policy's data, tables and model: 2,000 applicants drawn with a seed, and a model of who pays back.

Run from anywhere: `python policies/consumer_credit/generate.py`. The people are made up; the shape is that of consumer
credit: incomes are skewed, debt grows with income, and default grows with debt and falls with income and age.
"""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pandas as pd
import skops.io
from openpyxl import Workbook
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

FOLDER = Path(__file__).parent
EMPLOYMENT = ["employed", "self_employed", "student", "retired", "unemployed"]
MODEL_INPUTS = ["age", "income", "debt", "employment"]
TODAY = datetime.date(2026, 11, 29)


def applicants(count: int, seed: int = 7) -> pd.DataFrame:
    """Applicants with the columns of the policy's features, and `defaulted`."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(42, 14, count), 18, 85).round().astype(int)
    employment = rng.choice(EMPLOYMENT, count, p=[0.58, 0.14, 0.08, 0.12, 0.08])
    income = rng.lognormal(7.9, 0.45, count) * np.select(
        [employment == "student", employment == "unemployed"], [0.4, 0.5], 1
    )
    debt = np.round(income * rng.beta(1.6, 4, count), 2)
    bankruptcies = rng.poisson(0.08, count)
    margin = -3.2 + 4.5 * debt / income - 0.0002 * income - 0.012 * (age - 40) + 0.9 * (employment == "unemployed")
    opened = [TODAY - datetime.timedelta(days=int(days)) for days in rng.integers(30, 7000, count)]
    return pd.DataFrame(
        {
            "age": age,
            "income": np.round(income, 2),
            "debt": debt,
            "employment": employment,
            "bankruptcies": bankruptcies,
            "Monthly Usage": np.where(rng.random(count) < 0.1, np.nan, np.round(rng.beta(2, 4, count), 3)),
            "opened": [
                day.isoformat() if known else "" for day, known in zip(opened, rng.random(count) > 0.08, strict=True)
            ],
            "amount": rng.choice([1000, 2000, 5000, 8000, 12000, 15000], count),
            "defaulted": rng.random(count) < 1 / (1 + np.exp(-margin)),
        }
    )


def main() -> None:
    """Write `applicants.csv`, `background.csv`, `models/default_risk.skops` and `pricing.xlsx`."""
    history, today = applicants(4000, seed=7), applicants(2000, seed=8)
    model = make_pipeline(
        make_column_transformer(
            (StandardScaler(), ["age", "income", "debt"]),
            (OneHotEncoder(categories=[EMPLOYMENT]), ["employment"]),
        ),
        LogisticRegression(max_iter=1000),
    )
    model.fit(history[MODEL_INPUTS], np.where(history["defaulted"], "bad", "good"))
    (FOLDER / "models").mkdir(exist_ok=True)
    skops.io.dump(model, FOLDER / "models" / "default_risk.skops")
    today.drop(columns="defaulted").to_csv(FOLDER / "applicants.csv", index=False, lineterminator="\n")
    history.drop(columns="defaulted").head(500).to_csv(FOLDER / "background.csv", index=False, lineterminator="\n")
    write_pricing(FOLDER / "pricing.xlsx")


def write_pricing(path: Path) -> None:
    """The pricing table as a spreadsheet keeps it: rates in cells formatted as percent."""
    book = Workbook()
    book.properties.created = book.properties.modified = datetime.datetime(2026, 11, 29)
    sheet = book.active
    assert sheet is not None
    sheet.title = "2026"
    rows = [
        ("rule", "default_risk", "amount", "rate"),
        ("prime", "< 2%", "-", 0.049),
        ("near_prime", "[2% .. 5%)", "<= 8000", 0.0725),
        ("near_prime_large", "[2% .. 5%)", "> 8000", 0.0795),
        ("standard", ">= 5%", "-", 0.099),
    ]
    for row in rows:
        sheet.append(row)
    for cell in sheet["D"][1:]:
        cell.number_format = "0.00%"
    book.save(path)


if __name__ == "__main__":
    main()
