"""Do the features that an explanation calls negative have to move? Figure 3 of the SMACE paper, on six systems.

    python benchmarks/sanity_check.py [rule_only one_linear two_linear dm_03 cancer retention] [--rows 100]
                                      [--every 1] [--slow-rows 25] [--seeds 3] [--draws 1000] [--only smace shap …]
                                      [--encoders trained|anew]

The first rows that the rule does not accept are explained. The features with a negative contribution, most negative
first, are moved one after the other: to draws from a normal distribution around the row's value, with the feature's
deviation and within its range over the data; labels to draws from the data. The share accepted is the height of the
curve, zero at no feature, and the area is the trapezoid sum over 1 to D features. Random is a random half of the
features in random order. The nearest change has no contributions: its changed features are ranked by their size, and a
second line gives the area when each is set to the value that it names. Beside each mean over the seeds stands the half
width of its 95 % interval (Student's t). `rows` are the rows explained, fewer for the methods that take longer, so
SMACE is given for those rows too.

`retention` reads telco.csv from the folder that DECISIONFLOW_DATA names; its encoders are fitted once, with the models.
`--encoders anew` fits them to what is encoded, as the published run did: of a category that is not moved there is one
label in the rows of a step, so that it is read as the first of the training data. SMACE's ranks stay as they are.
Boosted trees are XGBoost's where that is installed (the extra `xgboost`), else scikit-learn's, as the last
line says.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import decisionflow

RULE = "wanted"
MOST_ROWS = 200_000
XGBOOST = find_spec("xgboost") is not None
LABELLED = ["Gender", "Status", "Car Owner", "Paymethod", "LocalBilltype", "LongDistanceBilltype"]
NUMBERS = ["Children", "Est Income", "Age", "LongDistance", "International", "Local", "Dropped", "Usage", "RatePlan"]

SYNTHETIC = """
policy {name}
feature x0 : number
feature x1 : number
feature x2 : number
feature x3 : number
feature x4 : number
feature x5 : number
{models}
decision offer : {{ accepted, rejected }}
  rule wanted: if x0 <= 0.8 and x1 >= 0.2 and x3 <= 0.7 and x4 <= 0.9 {conditions} then accepted
  otherwise rejected
"""
SYSTEMS_OF_MODELS = {
    "rule_only": {},
    "one_linear": {"m1": ("sum", ">= 0")},
    "two_linear": {"m1": ("sum", ">= 0"), "m2": ("hundreds", "<= 600")},
    "dm_03": {"m1": ("curved", ">= 0"), "m2": ("hundreds", "<= 600"), "m3": ("sum", "<= 0")},
}
PUBLISHED = {
    "rule_only": {"smace": 2.416, "shap": 2.416, "lime": 2.192, "random": 0.716},
    "one_linear": {"smace": 1.639, "shap": 1.756, "lime": 1.630, "random": 0.644},
    "two_linear": {"smace": 1.174, "shap": 1.252, "lime": 1.088, "random": 0.349},
    "dm_03": {"smace": 0.869, "shap": 0.976, "lime": 0.833, "random": 0.292},
    "cancer": {"smace": 5.413, "shap": 4.770, "lime": 3.982, "random": 0.952},
    "retention": {"smace": 0.858, "shap": 0.944, "lime": 0.874, "random": 0.305},
}


@dataclass(frozen=True)
class System:
    """A policy whose rule `wanted` gives the outcome `accepted`, and the data: columns by the policy's names.

    The labels of the columns `anew` are coded anew in the rows of each step.
    """

    name: str
    policy: decisionflow.Policy
    data: pd.DataFrame
    anew: tuple[str, ...] = ()

    def accepted(self, rows: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.policy.evaluate(rows, validate=False)["offer"].value == "accepted")


# The systems


def synthetic(name: str) -> System:
    np.random.seed(0)
    data = pd.DataFrame(np.random.rand(1000, 6), columns=[f"x{place}" for place in range(6)])
    x = data
    targets = {
        "sum": -3 * x.x0 + x.x1 + 2 * x.x2,
        "hundreds": 700 * x.x3 - 500 * x.x4 + 1000 * x.x5,
        "curved": -3 * x.x0 * x.x1 + 2 * x.x3**2 + 10 * np.exp(x.x4),
    }
    used = SYSTEMS_OF_MODELS[name]
    models = {
        model: (boosted_regressor() if target == "curved" else LinearRegression()).fit(data, targets[target])
        for model, (target, _) in used.items()
    }
    text = SYNTHETIC.format(
        name=name,
        models="\n".join(f"model {model} : number using x0, x1, x2, x3, x4, x5" for model in used),
        conditions=" ".join(f"and {model} {condition}" for model, (_, condition) in used.items()),
    )
    return System(name, decisionflow.parse_policy(text, models), data)


def cancer() -> System:
    bunch = load_breast_cancer(as_frame=True)
    data = bunch.data.rename(columns=lambda name: name.replace(" ", "_"))
    risk = make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)).fit(data, bunch.target)
    features = "\n".join(f"feature {name} : number" for name in data)
    text = f"""
policy cancer
{features}
model cancer_risk : probability of 0 using {", ".join(data)}
decision offer : {{ accepted, rejected }}
  rule wanted: if cancer_risk <= 0.6 and radius_error >= 0.2 and mean_area >= 300 and mean_perimeter >= 50
                  and mean_concavity >= 0.05 and worst_compactness <= 0.20 then accepted
  otherwise rejected
"""
    return System("cancer", decisionflow.parse_policy(text, {"cancer_risk": risk}), data)


def retention() -> System:
    if "DECISIONFLOW_DATA" not in os.environ:
        raise SystemExit("set DECISIONFLOW_DATA to the folder with telco.csv, or name other systems")
    table = pd.read_csv(Path(os.environ["DECISIONFLOW_DATA"]) / "telco.csv")
    data = table[LABELLED + NUMBERS]
    leaves = make_pipeline(encoders(), boosted_classifier()).fit(data, (table["CHURN"] == "T").astype(int))
    value = make_pipeline(encoders(), boosted_regressor()).fit(data, table["LTV"])
    vocabularies = {name: ", ".join(f'"{label}"' for label in sorted(data[name].unique())) for name in LABELLED}
    features = "\n".join(
        [f"feature `{name}` : {{ {labels} }}" for name, labels in vocabularies.items()]
        + [f"feature `{name}` : number" for name in NUMBERS]
    )
    using = ", ".join(f"`{name}`" for name in data)
    text = f"""
policy retention
{features}
model cr : probability of 1 using {using}
model ltv : number using {using}
decision offer : {{ accepted, rejected }}
  rule wanted: if Age <= 50 and ltv >= 500 and cr >= 0.5 and Usage >= 50 and Local <= 200 then accepted
  otherwise rejected
"""
    return System("retention", decisionflow.parse_policy(text, {"cr": leaves, "ltv": value}), data)


def encoders() -> Any:
    return make_column_transformer((OneHotEncoder(), LABELLED), remainder="passthrough")


def boosted_regressor() -> Any:
    if XGBOOST:
        from xgboost import XGBRegressor

        return XGBRegressor()
    return GradientBoostingRegressor(random_state=0)


def boosted_classifier() -> Any:
    if XGBOOST:
        from xgboost import XGBClassifier

        return XGBClassifier()
    return GradientBoostingClassifier(random_state=0)


BUILDERS: dict[str, Callable[[], System]] = {
    **{name: (lambda name=name: synthetic(name)) for name in SYSTEMS_OF_MODELS},
    "cancer": cancer,
    "retention": retention,
}

# What each method calls negative, most negative first


@dataclass
class Answers:
    """The ranked features of a row by method; what does not depend on the seed is asked once."""

    system: System
    change_seconds: float
    proposals: dict[int, dict[str, Any]] = field(default_factory=dict)
    exact: dict[int, list[str]] = field(default_factory=dict)

    def smace(self, rows: list[int], seed: int) -> list[list[str]]:
        frame = self.system.policy.explain_batch(self.system.data, rows, rule=RULE, seed=seed)
        totals = frame.filter(like="contribution.").rename(columns=lambda name: name.removeprefix("contribution."))
        return [negative(row.to_dict()) for _, row in totals.iterrows()]

    def shap(self, rows: list[int], seed: int) -> list[list[str]]:
        return [self.exact[row] if row in self.exact else self.attributed("shap", row, seed) for row in rows]

    def lime(self, rows: list[int], seed: int) -> list[list[str]]:
        return [self.attributed("lime", row, seed) for row in rows]

    def attributed(self, method: str, row: int, seed: int) -> list[str]:
        found = self.system.policy.explain(self.system.data, row, method=method, rule=RULE, seed=seed).to_dict()[method]
        ranked = negative(found["phi"])
        if found.get("exact"):
            self.exact[row] = ranked
        return ranked

    def random(self, rows: list[int], seed: int) -> list[list[str]]:
        rng = np.random.default_rng(seed)
        names = self.system.data.columns.to_numpy()
        return [list(rng.permutation(names[rng.random(len(names)) < 0.5])) for _ in rows]

    def change(self, row: int) -> dict[str, Any]:
        if row not in self.proposals:
            explained = self.system.policy.explain(
                self.system.data, row, method="change", why_not="accepted", time_limit=self.change_seconds
            )
            self.proposals[row] = explained.to_dict()["nearest_change"]
        return self.proposals[row]

    def changed(self, rows: list[int], _: int) -> list[list[str]]:
        return [[str(one["feature"]) for one in self.ranked_changes(row)] for row in rows]

    def ranked_changes(self, row: int) -> list[dict[str, Any]]:
        """Largest change first, in units of the feature's range; a changed label counts one."""
        return sorted(self.change(row)["changes"] or [], key=lambda one: -self._size(one))

    def _size(self, change: dict[str, Any]) -> float:
        values = self.system.data[change["feature"]]
        if not pd.api.types.is_numeric_dtype(values):
            return 1.0
        return float(abs(change["to"] - change["from"]) / (values.max() - values.min()))


def negative(contributions: dict[str, float]) -> list[str]:
    return sorted((name for name, value in contributions.items() if value < 0), key=lambda name: contributions[name])


# The curve


def area(system: System, rows: list[int], ranked: list[list[str]], draws: int, seed: int) -> float:
    """Mean over the rows of the trapezoid sum of the share accepted after 0, 1, … D features are moved."""
    rng = np.random.default_rng(seed)
    steps = [
        (row, names[:count]) for row, names in zip(rows, ranked, strict=True) for count in range(1, len(names) + 1)
    ]
    at_once = max(1, MOST_ROWS // draws)
    parts = [steps[start : start + at_once] for start in range(0, len(steps), at_once)]
    shares = iter(np.concatenate([shares_accepted(system, part, draws, rng) for part in parts]) if parts else [])
    return float(np.mean([trapezoid([next(shares) for _ in names], system) for names in ranked]))


def shares_accepted(
    system: System, steps: list[tuple[int, list[str]]], draws: int, rng: np.random.Generator
) -> np.ndarray:
    """The share of `draws` rows that is accepted when features of a row are moved, for each step (row, features)."""
    places = np.repeat([row for row, _ in steps], draws)
    moved = {name: values.to_numpy()[places] for name, values in system.data.items()}
    for number, (row, names) in enumerate(steps):
        for name in names:
            drawn = perturbed(system.data[name], row, draws, rng)
            kept = moved[name] if moved[name].dtype == drawn.dtype else moved[name].astype(drawn.dtype)
            kept[number * draws : (number + 1) * draws] = drawn
            moved[name] = kept
    for name in system.anew:
        moved[name] = coded_anew(moved[name], np.unique(system.data[name]), draws)
    return system.accepted(pd.DataFrame(moved)).reshape(len(steps), draws).mean(axis=1)


def coded_anew(labels: np.ndarray, known: np.ndarray, size: int) -> np.ndarray:
    """In each part of `size` rows the i-th label found stands for the i-th known one, as a new encoder takes it."""
    parts = labels.reshape(-1, size)
    return np.concatenate([known[np.unique(part.astype(str), return_inverse=True)[1]] for part in parts])


def perturbed(values: pd.Series, row: int, draws: int, rng: np.random.Generator) -> np.ndarray:
    """A normal distribution around the row's value, cut at the ends of the data; labels as they come."""
    if not pd.api.types.is_numeric_dtype(values):
        return rng.choice(values.to_numpy(dtype=object), draws)
    own, deviation = float(values.iloc[row]), float(values.std(ddof=0))
    low, high = special.ndtr([(values.min() - own) / deviation, (values.max() - own) / deviation])
    return own + deviation * special.ndtri(rng.uniform(low, high, draws))


def trapezoid(found: list[float], system: System) -> float:
    """Where fewer features are named than there are, the last height goes on to the end."""
    width = len(system.data.columns)
    filled = [0.0, *found, *([found[-1] if found else 0.0] * (width - len(found)))]
    return float(np.trapezoid(filled))


def named_values(answers: Answers, rows: list[int]) -> float:
    """The area when the nearest change's own values are set, one after the other."""
    areas = []
    for row in rows:
        moved, found = answers.system.data.iloc[[row]].copy(), []
        for change in answers.ranked_changes(row):
            moved[change["feature"]] = [change["to"]]
            found.append(float(answers.system.accepted(moved)[0]))
        areas.append(trapezoid(found, answers.system))
    return float(np.mean(areas))


# The table


def lines(system: System, chosen: argparse.Namespace) -> Iterator[str]:
    rows = [int(row) for row in np.flatnonzero(~system.accepted(system.data))[: chosen.rows : chosen.every]]
    few = rows[: chosen.slow_rows]
    answers = Answers(system, chosen.change_seconds)
    methods: list[tuple[str, list[int], Callable[[list[int], int], list[list[str]]]]] = [
        ("smace", rows, answers.smace),
        ("random", rows, answers.random),
        *([("smace", few, answers.smace)] if len(few) < len(rows) else []),
        ("shap", few, answers.shap),
        ("lime", few, answers.lime),
        ("nearest change", few, answers.changed),
    ]
    for name, asked, ranked in methods:
        if name in chosen.only:
            areas = [area(system, asked, ranked(asked, seed), chosen.draws, seed) for seed in range(chosen.seeds)]
            yield line(system.name, name, len(asked), areas)
    if "nearest change" in chosen.only:
        yield line(system.name, "its own values", len(few), [named_values(answers, few)])
        statuses = pd.Series([answers.change(row)["status"] for row in few]).value_counts()
        yield f"  nearest change: {', '.join(f'{count} {status}' for status, count in statuses.items())}"


def line(system: str, method: str, rows: int, areas: list[float]) -> str:
    spread = ""
    if len(areas) > 1:
        half = stats.t.ppf(0.975, len(areas) - 1) * np.std(areas, ddof=1) / np.sqrt(len(areas))
        spread = f"± {half:.3f}"
    published = PUBLISHED[system].get(method)
    return (
        f"{system:11} {method:15} {rows:4}  {np.mean(areas):6.3f} {spread:8}"
        f"  {'' if published is None else f'{published:.3f}'}"
    )


METHODS = ("smace", "shap", "lime", "nearest change", "random")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", default=list(BUILDERS), help=", ".join(BUILDERS))
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--every", type=int, default=1, help="explain only every n-th of these rows")
    parser.add_argument("--slow-rows", type=int, default=25)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--change-seconds", type=float, default=5.0, help="for the nearest change of one row")
    parser.add_argument("--encoders", choices=["trained", "anew"], default="trained", help="of retention")
    parser.add_argument("--only", nargs="*", default=METHODS, choices=METHODS)
    chosen = parser.parse_args()
    print("system      method          rows    area          published")
    for name in chosen.systems:
        system = BUILDERS[name]()
        if chosen.encoders == "anew" and name == "retention":
            system = replace(system, anew=tuple(LABELLED))
        print(f"{name}: {system.accepted(system.data).mean():.3f} accepted")
        for found in lines(system, chosen):
            print(found, flush=True)
    print(f"boosted trees: {'XGBoost' if XGBOOST else 'scikit-learn (XGBoost is not installed)'}")


if __name__ == "__main__":
    main()
