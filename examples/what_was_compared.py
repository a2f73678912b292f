"""The trace of a row: every rule met, every condition, and why a missing value fires nothing."""

import decisionflow

POLICY = """
policy scores
feature bureau_score : number optional
decision outcome : { approve, refer, decline }
  rule R1: if bureau_score < 580 then decline
  rule R2: if bureau_score < 660 then refer
  rule R3: if bureau_score >= 660 then approve
"""


def main() -> None:
    policy = decisionflow.parse_policy(POLICY)
    for score in (579, 660, None):
        result = policy.evaluate({"bureau_score": score})
        print(f"\n{score}: {result['outcome'].status}, {result['outcome'].value}")
        for rule in result.trace(0)["outcome"].rules:
            for condition in rule.conditions:
                print(f"  {rule.rule}: {condition.truth} {condition.because}")


if __name__ == "__main__":
    main()
