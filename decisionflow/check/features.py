"""Features: type, domain, and options that suit them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from decisionflow.check.constants import constant
from decisionflow.check.declared_types import domain_of
from decisionflow.check.messages import declarations as messages
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.values import Value
from decisionflow.frozen import frozen
from decisionflow.program.declarations import Feature, Reading
from decisionflow.syntax import tree
from decisionflow.types import DATE, INTEGER, NUMBER, TIMESTAMP, Type, Vocabulary

Set = Callable[[Feature, tree.Option, Context], Feature]


def is_ordered(kind: Type) -> bool:
    """Whether values of a type can increase and decrease."""
    return kind in (NUMBER, INTEGER, DATE, TIMESTAMP) or (isinstance(kind, Vocabulary) and kind.ordered)


def checked_feature(node: tree.Feature, context: Context) -> Feature | None:
    """The feature, None where its type is faulty."""
    kind = context.scope.types.get(node.name.name)
    if kind is None:
        return None
    feature = Feature(
        node.name.name,
        kind,
        Reading(node.name.name),
        domain_of(node.domain, kind, context),
        description=node.description,
        span=node.name.span,
    )
    for option in node.options:
        feature = _with_option(feature, option, context)
    written = {option.words: option for option in node.options}
    if "optional" in written and "default" in written:
        context.report.add(messages.optional_and_default(written["default"], written["optional"]))
    _check_labels_by_case(node, feature, context)
    return feature


def _with_option(feature: Feature, option: tree.Option, context: Context) -> Feature:
    rule = OPTIONS[option.words]
    if not rule.suits(feature.type):
        context.report.add(messages.option_unsuited(option, feature.type, rule.suited))
        return feature
    return rule.set(feature, option, context)


def _check_labels_by_case(node: tree.Feature, feature: Feature, context: Context) -> None:
    if not (feature.reading.any_case and isinstance(feature.type, Vocabulary)):
        return
    folded = {label.casefold() for label in feature.type.labels}
    if len(folded) < len(feature.type.labels):
        context.report.add(messages.any_case_is_ambiguous(node))


def _optional(feature: Feature, _: tree.Option, __: Context) -> Feature:
    return replace(feature, optional=True)


def _default(feature: Feature, option: tree.Option, context: Context) -> Feature:
    found = _value(option, feature.type, f"the default of `{feature.name}`", context)
    if found is None:
        return feature
    if feature.domain is not None and not feature.domain.contains(found):
        context.report.add(messages.default_outside(option, feature))
    return replace(feature, default=found)


def _step(feature: Feature, option: tree.Option, context: Context) -> Feature:
    found = _value(option, feature.type, f"the step of `{feature.name}`", context)
    if found is None:
        return feature
    if found <= 0:
        context.report.add(messages.step_not_positive(option))
        return feature
    return replace(feature, change=replace(feature.change, step=found))


def _value(option: tree.Option, kind: Type, place: str, context: Context) -> Value:
    if option.value is None:
        return None
    found = constant(option.value, context, Wanted(kind, place))
    return None if found is None else found.value


def _immutable(feature: Feature, _: tree.Option, __: Context) -> Feature:
    return replace(feature, change=replace(feature.change, immutable=True))


def _never_increasing(feature: Feature, _: tree.Option, __: Context) -> Feature:
    return replace(feature, change=replace(feature.change, may_increase=False))


def _never_decreasing(feature: Feature, _: tree.Option, __: Context) -> Feature:
    return replace(feature, change=replace(feature.change, may_decrease=False))


def _text(option: tree.Option) -> str:
    return option.value.value if isinstance(option.value, tree.Text) else ""


def _column(feature: Feature, option: tree.Option, context: Context) -> Feature:
    if not _text(option):
        context.report.add(messages.empty_column(option))
        return feature
    return replace(feature, reading=replace(feature.reading, column=_text(option)))


def _zone(feature: Feature, option: tree.Option, context: Context) -> Feature:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        ZoneInfo(_text(option))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        context.report.add(messages.unknown_zone(option, _text(option)))
        return feature
    return replace(feature, reading=replace(feature.reading, zone=_text(option)))


def _trim(feature: Feature, _: tree.Option, __: Context) -> Feature:
    return replace(feature, reading=replace(feature.reading, trim=True))


def _any_case(feature: Feature, _: tree.Option, __: Context) -> Feature:
    return replace(feature, reading=replace(feature.reading, any_case=True))


def _others(feature: Feature, option: tree.Option, context: Context) -> Feature:
    found = _value(option, feature.type, f"`{feature.name}`", context)
    return replace(feature, reading=replace(feature.reading, others=found)) if isinstance(found, str) else feature


def _sensitive(feature: Feature, option: tree.Option, context: Context) -> Feature:
    kept = 0
    if option.value is not None:
        found = _value(option, INTEGER, f"`keep` of `{feature.name}`", context)
        kept = found if isinstance(found, int) else 0
        if kept < 0:
            context.report.add(messages.keep_negative(option))
    return replace(feature, sensitive=True, kept=max(kept, 0))


def _labels(kind: Type) -> bool:
    return isinstance(kind, Vocabulary)


@frozen
class OptionRule:
    """What an option does, and which types it suits, in code and in words."""

    set: Set
    suits: Callable[[Type], bool] = lambda _: True
    suited: str = ""


OPTIONS: dict[str, OptionRule] = {
    "optional": OptionRule(_optional),
    "default": OptionRule(_default),
    "immutable": OptionRule(_immutable),
    "increasing never": OptionRule(_never_increasing, is_ordered, "values that have an order"),
    "decreasing never": OptionRule(_never_decreasing, is_ordered, "values that have an order"),
    "step": OptionRule(_step, lambda kind: kind in (NUMBER, INTEGER), "numbers and integers"),
    "from column": OptionRule(_column),
    "zone": OptionRule(_zone, lambda kind: kind == TIMESTAMP, "timestamps"),
    "trim": OptionRule(_trim, _labels, "vocabularies"),
    "any case": OptionRule(_any_case, _labels, "vocabularies"),
    "others as": OptionRule(_others, _labels, "vocabularies"),
    "sensitive": OptionRule(_sensitive),
    "sensitive keep": OptionRule(_sensitive),
}
