"""Draw the pictures of docs/explaining.md: `python docs/make_pictures.py [FOLDER]` (default: docs/pictures)."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

import decisionflow

DOCS = Path(__file__).parent
CREDIT = DOCS.parent / "policies" / "consumer_credit"


def main(folder: Path) -> None:
    policy = decisionflow.load_policy(CREDIT / "consumer_credit.dflow")
    applicants = pd.read_csv(CREDIT / "applicants.csv")
    explanation = policy.explain(applicants, row=2, why_not="approve", today="2026-11-29")
    overview = policy.overview(applicants[:200], today="2026-11-29")
    pictures = {
        "bars": explanation.plot(),
        "waterfall": explanation.plot("waterfall"),
        "map": explanation.plot("map", ["income", "debt"]),
        "beeswarm": overview.plot(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        picture.savefig(folder / f"{name}.png", dpi=80, bbox_inches="tight")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DOCS / "pictures")
