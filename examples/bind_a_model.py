"""A policy whose model is bound from Python: any estimator, or a function from a table to a column."""

import pandas as pd

import decisionflow

POLICY = """
policy retention "Whom to make an offer"
feature usage  : number [0 .. 500]
feature tenure : integer [0 .. 600]
model churn : probability of leaves using usage, tenure
decision offer : { make, none }
  rule loyal: if tenure >= 120 then none
  rule at_risk: if churn >= 0.5 then make
  otherwise none
"""


def churn(customers: pd.DataFrame) -> pd.Series:
    """Who uses little leaves; called once, with the rows that no earlier rule has decided."""
    print(f"scoring {len(customers)} customers")
    return 1 - customers["usage"] / 500


def main() -> None:
    policy = decisionflow.parse_policy(POLICY, models={"churn": churn})
    customers = [
        {"usage": 90, "tenure": 130},
        {"usage": 90, "tenure": 12},
        {"usage": 400, "tenure": 3},
        {"usage": "many", "tenure": 5},
    ]
    result = policy.evaluate(customers)
    print(result.to_pandas().to_string())


if __name__ == "__main__":
    main()
