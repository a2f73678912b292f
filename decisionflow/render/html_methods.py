"""What the further methods say, as sections of a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from decisionflow.render.html_elements import element, listed, plain, section, shown, table
from decisionflow.render.wording import range_text, value_text

MOST_FEATURES = 20


def method_section(key: str, part: Any) -> str:
    """The section of one method, by its key in the contract; one without a drawing of its own shows its JSON."""
    draw = METHODS.get(key)
    if draw is not None:
        return draw(part)
    written = json.dumps(part, ensure_ascii=False, indent=2)
    return section(f"method-{key}", key.replace("_", " ").capitalize(), element("pre", plain(written), tabindex=0))


def _attribution(name: str, part: Mapping[str, Any]) -> str:
    about = f"of model {part['of']}" if part["of"] else f"of the decision being {value_text(part['outcome'])}"
    exact = "exact" if part["exact"] else _estimated(part["standard_error"])
    said = f"{about}: {part['base']:.4g} on average, {part['value']:.4g} here; {part['attribution']}, {exact}"
    ranked = sorted(((item, phi) for item, phi in part["phi"].items() if phi), key=lambda item: -abs(item[1]))
    intervals = part["intervals"] or {}
    rows = [[shown(feature), f"{phi:+.4f}", *_ends(intervals, feature)] for feature, phi in ranked[:MOST_FEATURES]]
    heads = ("Feature", "Contribution", *(["95 % interval"] if intervals else []))
    numbers = table("Largest first", heads, rows, (1, 2))
    return section(f"method-{name.lower().replace(' ', '-')}", name, element("p", shown(said)), numbers)


def _estimated(standard_error: float | None) -> str:
    return "estimated" if standard_error is None else f"estimated, standard error {standard_error:.2g}"


def _ends(intervals: Mapping[str, Sequence[float]], feature: str) -> list[str]:
    return [f"{low:+.4f} to {high:+.4f}" for low, high in [intervals[feature]]] if intervals else []


def _nearest_change(part: Mapping[str, Any]) -> str:
    to = "another outcome" if part["to"] is None else value_text(part["to"])
    found = {
        "optimal": f"The nearest change that gives {to}, proved to be the nearest",
        "found": f"A change that gives {to}; none nearer than {part['bound']} exists",
        "impossible": f"No permitted change gives {to}",
        "not found": f"No change that gives {to} was found in the time given",
    }[part["status"]]
    because = f", because of {', '.join(part['because'])}" if part["because"] else ""
    limit = f", with at most {part['at_most']} features changed" if "at_most" in part else ""
    proposals = [part, *part["others"]] if part["decided"] is not None else []
    rows = [row for number, one in enumerate(proposals, 1) for row in _change_rows(number, one)]
    heads = ("Answer", "Feature", "From", "To", "Cost", "Decided then")
    changes = table("What would change", heads, rows) if rows else ""
    return section("method-change", "Nearest change", element("p", shown(f"{found}{because}{limit}.")), changes)


def _change_rows(number: int, proposal: Mapping[str, Any]) -> Iterator[list[str]]:
    decided = proposal["decided"]
    then = value_text(decided["value"]) + (f" by {decided['rule']}" if decided["rule"] else "")
    for one in proposal["changes"]:
        values = [shown(value_text(one[side])) for side in ("from", "to")]
        yield [str(number), shown(one["feature"]), *values, f"{proposal['cost']:.4g}", shown(then)]


def _certificate(part: Mapping[str, Any]) -> str:
    said = f"The decision stays {value_text(part['value'])}, proved, while all of these hold at once."
    rows = [
        [shown(name), shown(range_text(inside)), shown(range_text(part["alone"][name]))]
        for name, inside in part["box"].items()
    ]
    box = table("How far each feature may go", ("Feature", "All at once", "It alone"), rows)
    held = (
        f"Kept as they are, for what they go into cannot be opened: {', '.join(part['held'])}." if part["held"] else ""
    )
    kept = element("p", shown(held)) if held else ""
    return section("method-certificate", "Certificate", element("p", shown(said)), box, kept)


def _local_rules(rules: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [
            shown(rule["kind"]),
            element("code", shown(rule["conditions"])),
            shown(value_text(rule["class"])),
            ", ".join(f"{plain(name)} {value:.3g}" for name, value in rule["measures"].items()),
            {None: "–", True: "yes", False: "no"}[rule["flips"]],
        ]
        for rule in rules
    ]
    heads = ("Kind", "Conditions", "Class", "Measures", "Flips the decision")
    caption = f"Patterns around this row, best first by {rules[0]['ranked_by']}" if rules else "No pattern was found"
    return section("method-rules", "Local rules", table(caption, heads, rows))


def _anchor(part: Mapping[str, Any]) -> str:
    enough = "What is enough for" if part["certain"] else "Nothing found is surely enough for; nearest to"
    conditions = [element("code", shown(condition)) for condition in part["conditions"]]
    sure = "counted" if part["exact"] else "between {:.1%} and {:.1%}, estimated".format(*part["bound"])
    said = (
        f"{part['precision']:.1%} of the rows changed so get the same outcome ({sure}); {part['coverage']:.1%} of the "
    )
    said += f"{part['background_rows']} background rows are so."
    lines = listed(conditions or ["nothing at all: nearly every row gets it"])
    heading = element("p", f"{enough} {shown(value_text(part['outcome']))}:")
    return section("method-anchor", "Anchor", heading, lines, element("p", plain(said)))


METHODS: dict[str, Callable[[Any], str]] = {
    "shap": partial(_attribution, "SHAP"),
    "shapley": partial(_attribution, "Shapley values"),
    "lime": partial(_attribution, "LIME"),
    "nearest_change": _nearest_change,
    "certificate": _certificate,
    "local_rules": _local_rules,
    "anchor": _anchor,
}
"""What draws the part of each further method."""
