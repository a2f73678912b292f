"""Train the model of this policy and write its data: scikit-learn's breast-cancer data, 569 patients, bundled with it.

Run from anywhere: `python policies/cancer_treatment/train.py`. The same versions of the libraries write the same files.
"""

from __future__ import annotations

from pathlib import Path

import skops.io
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FOLDER = Path(__file__).parent


def main() -> None:
    """Write `patients.csv` in the data's own order and `models/cancer_risk.skops`."""
    data = load_breast_cancer(as_frame=True)
    data.data.to_csv(FOLDER / "patients.csv", index=False, lineterminator="\n")
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(data.data, data.target)
    (FOLDER / "models").mkdir(exist_ok=True)
    skops.io.dump(model, FOLDER / "models" / "cancer_risk.skops")


if __name__ == "__main__":
    main()
