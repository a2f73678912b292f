"""An explanation as one HTML page: the answer, the path to it, contributions, what would change it, how it was made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from decisionflow.explain.crossings import Crossing
from decisionflow.explain.explanation import Condition, Explanation, FeaturePart
from decisionflow.render.html_chart import bar_chart
from decisionflow.render.html_elements import element, listed, plain, section, shown, table, terms
from decisionflow.render.html_methods import method_section
from decisionflow.render.html_page import page
from decisionflow.render.wording import margin_text, value_text

MOST_BARS = 20
MARKS = {"true": "✓", "false": "✗", "unknown": "?", "error": "!", "not evaluated": "·"}


def explanation_html(explanation: Explanation, crossings: Sequence[Crossing] = ()) -> str:
    """The page; `crossings` are the variables of the target rule, each taken over its boundary alone."""
    return page(_title(explanation), _header(explanation), "".join(_sections(explanation, crossings)))


def _sections(explanation: Explanation, crossings: Sequence[Crossing]) -> Iterator[str]:
    yield _reasons(explanation)
    if explanation.conditions:
        yield _path(explanation)
    if explanation.target_rule is not None:
        yield _contributions(explanation)
    if crossings:
        yield _what_if(explanation, crossings)
    if explanation.attributions:
        yield _models(explanation)
    for key, part in explanation.added.items():
        yield method_section(key, part)
    yield _settings(explanation)


def _answer(explanation: Explanation) -> str:
    outcome = explanation.outcome
    return value_text(outcome.value) if outcome.status == "decided" else outcome.status


def _title(explanation: Explanation) -> str:
    return f"{explanation.policy}, row {explanation.row}: {explanation.decision} = {_answer(explanation)}"


def _header(explanation: Explanation) -> str:
    outcome = explanation.outcome
    by = f" by {element('code', shown(outcome.rule))}" if outcome.rule else ""
    return (
        element("p", f"Policy {shown(explanation.policy)}, row {explanation.row}", class_="dim")
        + element("h1", f"{shown(explanation.decision)} = {shown(_answer(explanation))}")
        + element("p", f"Status: {plain(outcome.status)}{by}", class_="answer")
    )


def _reasons(explanation: Explanation) -> str:
    outcome = explanation.outcome
    parts = []
    if outcome.problem:
        parts.append(element("p", shown(outcome.problem)))
    if outcome.reasons:
        parts.append(listed(f"{element('code', shown(one.code))} {shown(one.text)}" for one in outcome.reasons))
    elif not outcome.problem:
        parts.append(element("p", "The rule that decided gives no reason.", class_="dim"))
    if explanation.customer_reasons:
        told = [
            f"{element('code', shown(one.code))} {shown(one.text)} "
            + element("span", f"({_origin(one.origin, one.feature)})", class_="dim")
            for one in explanation.customer_reasons
        ]
        parts.append(element("h3", "What the customer is told") + listed(told, "ol"))
    return section("reasons", "Reasons", *parts)


def _origin(origin: str, feature: str | None) -> str:
    return "from the rule taken" if feature is None else f"from the {plain(origin)} of {shown(feature)}"


def _path(explanation: Explanation) -> str:
    rows: list[list[str]] = []
    for rule, group in groupby(explanation.conditions, lambda found: found.rule):
        for place, found in enumerate(group):
            rows.append([shown(rule) if place == 0 else "", *_condition(found)])
    heads = ("Rule", "Holds", "Condition", "Value", "Distance to the boundary")
    return section("path", "Decision path", table("Every condition of every rule met, in order", heads, rows, (4,)))


def _condition(found: Condition) -> list[str]:
    truth = element("span", MARKS[found.truth], aria_hidden="true") + f" {plain(found.truth)}"
    value = "" if found.truth == "not evaluated" else found.because or value_text(found.value)
    kind = found.truth.replace(" ", "-")
    return [
        element("span", truth, class_=f"truth {kind}"),
        element("code", shown(found.text)),
        shown(value),
        plain(margin_text(found.margin)),
    ]


def _contributions(explanation: Explanation) -> str:
    parts = [part for part in explanation.largest_first() if part.total]
    fired = explanation.target_rule in explanation.outcome.rules
    asked = "What holds rule" if fired else "What speaks for and against rule"
    about = element("p", f"{asked} {element('code', shown(explanation.target_rule))}, by SMACE. ", *_how_to_read())
    if not parts:
        return section("contributions", "Contributions", about, element("p", "No feature contributes to it."))
    bars = [(f"{part.feature} = {value_text(part.value)}", part.total) for part in parts[:MOST_BARS]]
    title = f"Contributions to rule {explanation.target_rule}"
    chart = element("figure", bar_chart("contributions-chart", title, bars))
    heads = ("Feature", "Value", "Total", "Own", "Through")
    numbers = table("The same as numbers", heads, map(_contribution, parts), (2, 3))
    return section("contributions", "Contributions", about, chart, numbers, *_notes(explanation))


def _how_to_read() -> Iterator[str]:
    yield "A filled bar to the right (+) speaks for the rule, a striped one to the left (−) against it; the nearer a "
    yield "value is to its boundary, the longer the bar."


def _contribution(part: FeaturePart) -> list[str]:
    via = ", ".join(f"{shown(name)} {amount:+.3f}" for name, amount in part.via.items() if amount)
    own = f"{part.direct:+.3f}" if part.direct else ""
    return [shown(part.feature), shown(value_text(part.value)), f"{part.total:+.3f}", own, via]


def _notes(explanation: Explanation) -> Iterator[str]:
    if explanation.never_holds:
        names = ", ".join(map(shown, explanation.never_holds))
        yield element("p", f"The rule can never hold: its conditions on {names} contradict each other.")
    if explanation.unknown:
        yield element("p", "Unknown, so without a contribution: " + ", ".join(map(shown, explanation.unknown)))


def _what_if(explanation: Explanation, crossings: Sequence[Crossing]) -> str:
    about = element(
        "p",
        f"Each variable of rule {element('code', shown(explanation.target_rule))} alone is taken just over its nearest "
        "boundary, everything else as it is, and the policy decides anew.",
    )
    heads = ("Variable", "Value", "Boundary", "Distance", "Tried", "Decision then", "Changes the decision")
    rows = [_crossing(found) for found in crossings]
    return section("what-if", "What if", about, table("One variable at a time", heads, rows, (3,)))


def _crossing(found: Crossing) -> list[str]:
    then, changes = f"cannot be tried: {found.because}", "–"
    if found.outcome is not None:
        answer = found.outcome
        then = value_text(answer.value) if answer.status == "decided" else answer.status
        then += f" by {answer.rule}" if answer.rule else ""
        changes = element("strong", "yes", class_="yes") if found.changes else "no"
    boundary = "" if found.boundary is None else value_text(found.boundary)
    tried = "" if found.to is None else value_text(found.to)
    return [
        shown(found.variable),
        shown(value_text(found.value)),
        shown(boundary),
        plain(margin_text(found.distance)),
        shown(tried),
        shown(then),
        changes,
    ]


def _models(explanation: Explanation) -> str:
    rows = []
    for name, found in explanation.attributions.items():
        kind = "model" if name in explanation.model_names else "computed"
        exact = "exact" if found.exact else f"estimated, standard error {found.standard_error or 0:.2g}"
        ends = found.intervals or {}
        phi = ", ".join(f"{shown(used)} {part:+.4g}{_between(ends.get(used))}" for used, part in _ranked(found.phi))
        value = value_text(explanation.model_values.get(name))
        cells = (kind, shown(value), plain(found.method), plain(found.output), exact, f"{found.base:.4g}", phi)
        rows.append([shown(name), *cells])
    heads = ("Name", "Kind", "Value", "Attribution", "Scale", "Exactness", "Mean", "Moved from the mean by")
    return section("models", "Models and computed values", table("How each was attributed", heads, rows, (6,)))


def _between(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f" ({ends[0]:+.3g} to {ends[1]:+.3g})"


def _ranked(phi: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(((name, part) for name, part in phi.items() if part), key=lambda item: -abs(item[1]))


def _settings(explanation: Explanation) -> str:
    pairs = {"policy SHA-256": element("code", plain(explanation.policy_sha256))}
    for name, value in explanation.settings.items():
        pairs[name.replace("_", " ")] = _setting(value)
    about = element("p", "The same call with these gives the same page.", class_="dim")
    return section("settings", "Settings", about, terms(pairs))


def _setting(value: Any) -> str:
    if isinstance(value, Mapping | list):
        return element("code", shown(json.dumps(value, ensure_ascii=False)))
    return element("code", shown("–" if value is None else value))
