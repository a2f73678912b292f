"""Load a shipped policy, decide every patient, and ask why one was not proposed for treatment."""

from pathlib import Path

import pandas as pd

import decisionflow

FOLDER = Path(__file__).parents[1] / "policies" / "cancer_treatment"


def main() -> None:
    policy = decisionflow.load_policy(FOLDER / "cancer_treatment.dflow")
    patients = pd.read_csv(FOLDER / "patients.csv")

    result = policy.evaluate(patients)
    print(pd.Series(result["treatment"].value).value_counts().to_string())

    explanation = policy.explain(patients, row=13, why_not="propose")
    print(f"\nwhat stands between row 13 and `{explanation.target_rule}`:")
    print(explanation.rule_contributions.round(3).to_string())
    print("\nwhich measurements that comes down to:")
    print(explanation.contributions.head(5).round(3).to_string())


if __name__ == "__main__":
    main()
