"""A learned companion list as text of the policy language."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from decisionflow.errors import PolicyError
from decisionflow.learn.companion_rule import CompanionRule
from decisionflow.learn.feature_table import Feature
from decisionflow.learn.learning_errors import SettingError
from decisionflow.learn.policy_words import label_text, label_word, percent_text
from decisionflow.learn.trade_off import TradeOff
from decisionflow.source import Source
from decisionflow.syntax.format import format_text
from decisionflow.syntax.parse import parse
from decisionflow.syntax.spelling import declared_name, quoted
from decisionflow.syntax.tree import File


@dataclass(frozen=True, slots=True)
class PolicyHeader:
    """What a policy file says of itself: names, where the black box lies, and the data it was learned from.

    `black_box_inputs` are the columns that the black box reads, all features where it is None; where
    `black_box_is_column` its answers are a column of the data themselves.
    """

    name: str
    title: str | None
    decision: str
    black_box: str
    black_box_uri: str | None
    learner: str
    date: datetime.date
    rows: int
    black_box_inputs: tuple[str, ...] | None = None
    black_box_is_column: bool = False


def policy_text(
    header: PolicyHeader,
    features: Sequence[Feature],
    labels: Sequence[Any],
    rules: Sequence[CompanionRule],
    trade_off: TradeOff,
) -> str:
    """A whole policy: what it was learned from as comments, the features, the black box, the companion list.

    Raises SettingError where two declarations would share a name, or a name or label cannot be written.
    """
    declared = _declared_names(header, features)
    sections = (
        _opening(header, trade_off),
        [_feature_text(feature, declared) for feature in features],
        _model_lines(header, features, _vocabulary(labels, declared)),
        _decision_lines(header, _vocabulary(labels, declared), rules, declared),
    )
    text = "\n\n".join("\n".join(section) for section in sections) + "\n"
    file = parse(Source("learned policy", text))
    if isinstance(file, File):
        return format_text(file)
    words = {*labels, *(label for feature in features for label in feature.labels)}
    raise _unwritable(declared | {header.name}, words) or PolicyError(file)


def _unwritable(names: Iterable[str], labels: Iterable[Any]) -> SettingError | None:
    """What names the first name or label, if any, that cannot be written."""
    written = {name: f"policy {declared_name(name)}" for name in names}
    written |= {label_word(label): f"policy p {quoted(label_word(label))}" for label in labels}
    for word, text in written.items():
        if not isinstance(parse(Source("learned policy", text)), File):
            return SettingError(f"{word!r} cannot be written in a policy; rename it in the data")
    return None


def _declared_names(header: PolicyHeader, features: Sequence[Feature]) -> frozenset[str]:
    names = [*(feature.name for feature in features), header.black_box, header.decision]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise SettingError(
            f"`{repeated[0]}` would name two things in the policy; "
            "give another name with decision=… or black_box_name=…"
        )
    return frozenset(names)


def _opening(header: PolicyHeader, trade_off: TradeOff) -> list[str]:
    title = f" {quoted(header.title)}" if header.title is not None else ""
    notes = (
        f"Learned by {header.learner} from data of {header.date.isoformat()}, {header.rows} rows.",
        "What the first rules give on these rows, the other rows left to the black box:",
        *trade_off.to_text().split("\n"),
    )
    return [f"policy {declared_name(header.name)}{title}", "", *(f"# {note}" for note in notes)]


def _feature_text(feature: Feature, declared: frozenset[str]) -> str:
    optional = " optional" if feature.optional else ""
    return f"feature {declared_name(feature.name)} : {_type_text(feature, declared)}{optional}"


def _type_text(feature: Feature, declared: frozenset[str]) -> str:
    if feature.kind != "vocabulary":
        return feature.kind
    return _vocabulary(feature.labels, declared) if feature.labels else "text"


def _vocabulary(labels: Iterable[Any], declared: frozenset[str]) -> str:
    return "{ " + ", ".join(label_text(label, declared) for label in labels) + " }"


def _model_lines(header: PolicyHeader, features: Sequence[Feature], vocabulary: str) -> list[str]:
    if header.black_box_is_column:
        return [f"feature {declared_name(header.black_box)} : {vocabulary}"]
    source = f"\n  from {quoted(header.black_box_uri)}" if header.black_box_uri is not None else ""
    names = header.black_box_inputs if header.black_box_inputs is not None else [feature.name for feature in features]
    inputs = ", ".join(map(declared_name, names))
    return [f"model {declared_name(header.black_box)} : {vocabulary}{source}", f"  using {inputs}"]


def _decision_lines(
    header: PolicyHeader, vocabulary: str, rules: Sequence[CompanionRule], declared: frozenset[str]
) -> list[str]:
    opening = f"decision {declared_name(header.decision)} : {vocabulary}"
    if not rules:
        return [opening, f"  = {declared_name(header.black_box)}"]
    lines = [_rule_line(rule, declared) for rule in rules]
    return [opening, f"  companion of {declared_name(header.black_box)}", *lines]


def _rule_line(rule: CompanionRule, declared: frozenset[str]) -> str:
    outcome = label_text(rule.label, declared)
    stats = ", ".join(
        (
            f"coverage {percent_text(rule.written_coverage)}",
            f"accuracy {100 * rule.accuracy:.1f}%",
            f"black_box {100 * rule.black_box:.1f}%",
        )
    )
    return f"    rule {rule.name}: if {rule.condition.write(declared)} then {outcome} stats ({stats})"
