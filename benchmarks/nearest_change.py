"""How much CPU the nearest change of one row takes: through 100 rules of 5 conditions, and 100 trees of depth 3.

Run: python benchmarks/nearest_change.py. Prints one line a case: median and worst time over the rows, what was found.
A policy's rules are opened once, at its first row; that row stands apart.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pandas as pd

import decisionflow
from decisionflow.api.policy import Policy
from decisionflow.evaluate.rows import row_of
from decisionflow.explain.nearest_change.answer import Answer
from decisionflow.explain.nearest_change.asking import nearest_change
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.options import ChangeOptions
from decisionflow.explain.nearest_change.space import Costs, items_of
from decisionflow.explain.nearest_change.wanted import Wanted

ROWS, RULES, CONDITIONS, TREES, DEPTH = 12, 100, 5, 100, 3
NUMBERS, LABELS = tuple(f"n{at}" for at in range(10)), ("c0", "c1")


def rule_policy(random: Random) -> Policy:
    """A list of rules over ten numbers and two labels."""
    features = [f"feature {name} : number [0.00 .. 10.00]" for name in NUMBERS]
    features += [f"feature {name} : {{ p, q, r, s }}" for name in LABELS]
    rules = [
        f"  rule r{number}: if {' and '.join(_condition(random) for _ in range(CONDITIONS))} "
        f"then {random.choice(['yes', 'no', 'no'])}"
        for number in range(RULES)
    ]
    text = "\n".join(["policy rules", *features, "decision d : { yes, no }", *rules, "  otherwise no"])
    return decisionflow.parse_policy(text)


def _condition(random: Random) -> str:
    name = random.choice(NUMBERS + LABELS)
    if name in LABELS:
        return f"{name} in {{ {', '.join(random.sample('pqrs', 3))} }}"
    return f"{name} {random.choice(['<', '<=', '>', '>='])} {random.uniform(0, 10):.2f}"


def rule_row(random: Random) -> dict[str, Any]:
    """A row for the rules."""
    return {name: round(random.uniform(0, 10), 2) for name in NUMBERS} | {
        name: random.choice("pqrs") for name in LABELS
    }


def tree_policy(kind: str) -> Policy:
    """One threshold on the probability of an ensemble of a hundred trees over eight numbers."""
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.uniform(0, 10, (2000, 8)), columns=list(NUMBERS[:8]))
    target = (frame.n0 + frame.n1 * frame.n2 / 5 - frame.n3 + rng.normal(0, 2, 2000) > 8).astype(int)
    maker = GradientBoostingClassifier if kind == "boosting" else RandomForestClassifier
    model = maker(n_estimators=TREES, max_depth=DEPTH, random_state=0).fit(frame, target)
    features = [f"feature {name} : number [0 .. 10]" for name in NUMBERS[:8]]
    score = f"model score : probability of 1 using {', '.join(NUMBERS[:8])}"
    rules = ["decision d : { yes, no }", "  rule high: if score >= 60% then yes", "  otherwise no"]
    return decisionflow.parse_policy("\n".join(["policy trees", *features, score, *rules]), models={"score": model})


def tree_row(random: Random) -> dict[str, Any]:
    """A row for the trees."""
    return {name: round(random.uniform(0, 10), 2) for name in NUMBERS[:8]}


def answered(policy: Policy, row: dict[str, Any]) -> tuple[Answer, float]:
    """The nearest change to the other outcome, and the CPU seconds it took."""
    models = policy.models_for(policy.decisions)
    table, settings = policy.read([row]), policy.settings("2026-01-01")
    started = time.process_time()
    asked = row_of(policy.program, models, table, 0, settings)
    wanted = Wanted("no" if asked.decide("d").value == "yes" else "yes")
    deciding = Deciding(asked, policy.decisions["d"], wanted, models)
    found = nearest_change(deciding, items_of(asked, "d", Costs()), ChangeOptions(time_limit=600.0))
    return found, time.process_time() - started


def measure(name: str, policy: Policy, row: Callable[[Random], dict[str, Any]]) -> None:
    """Print the times of several rows."""
    random = Random(1)
    _, first = answered(policy, row(random))
    found = [answered(policy, row(random)) for _ in range(ROWS)]
    times = [seconds * 1000 for _, seconds in found]
    states = ", ".join(sorted({answer.status for answer, _ in found}))
    middle, worst = statistics.median(times), max(times)
    print(f"{name}: median {middle:.1f} ms, worst {worst:.1f} ms, first {first * 1000:.0f} ms; {states}")


if __name__ == "__main__":
    measure(f"{RULES} rules x {CONDITIONS} conditions", rule_policy(Random(0)), rule_row)
    for kind in ("forest", "boosting"):
        measure(f"{TREES} trees of depth {DEPTH}, {kind}", tree_policy(kind), tree_row)
