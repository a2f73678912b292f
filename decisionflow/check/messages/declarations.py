"""What is said about types, domains, features, parameters and decisions (DF0401 to DF0432)."""

from __future__ import annotations

from typing import Any

from decisionflow.check.messages.names import listed
from decisionflow.check.messages.types import described
from decisionflow.check.scope import Declared
from decisionflow.diagnostics import Diagnostic, Note, did_you_mean
from decisionflow.program.declarations import Feature, Parameter
from decisionflow.source import Source, Span
from decisionflow.syntax import tree
from decisionflow.types import Type, Vocabulary

# The file


def no_policy(source: Source) -> Diagnostic:
    """A file without its first declaration."""
    return Diagnostic(
        "DF0401",
        Span(source, 0, 0),
        "this file does not say which policy it is",
        "begin with `policy NAME`, such as `policy consumer_credit`",
    )


def background_twice(node: tree.Background, first: tree.Background) -> Diagnostic:
    """Two `background` declarations."""
    return Diagnostic(
        "DF0403",
        node.span,
        "a policy has one background",
        "take one of the two out",
        (Note(first.span, "it is declared here first"),),
    )


# Types and domains


def record_in_record(node: tree.TypeNode) -> Diagnostic:
    """A record as a part of a record."""
    return Diagnostic("DF0404", node.span, "a part of a record is not a record itself", "give its parts one by one")


def record_here(node: tree.TypeNode, name: str) -> Diagnostic:
    """A feature that is declared a record."""
    return Diagnostic(
        "DF0404", node.span, f"feature `{name}` is one column, not a record", "declare a feature for each part"
    )


def label_twice(label: tree.Label, first: tree.Label) -> Diagnostic:
    """A vocabulary that has a label twice."""
    return Diagnostic(
        "DF0405",
        label.span,
        f"label `{label.text}` is listed twice",
        "take one of them out",
        (Note(first.span, "it is listed here first"),),
    )


def labels_differ_by_case(label: tree.Label, first: tree.Label) -> Diagnostic:
    """Two labels that differ only by case."""
    return Diagnostic(
        "DF0406",
        label.span,
        f"labels `{first.text}` and `{label.text}` differ only by case",
        "they are two labels; if they mean the same, keep one and declare the feature `any case`",
        (Note(first.span, f"`{first.text}` is listed here"),),
        "warning",
    )


def part_declared_twice(name: tree.Name) -> Diagnostic:
    """A record that declares a part twice."""
    return Diagnostic("DF0405", name.span, f"part `{name.name}` is declared twice", "rename one of the two")


def domain_unsuited(node: tree.Domain, kind: Type) -> Diagnostic:
    """A domain of values that have no size."""
    return Diagnostic(
        "DF0407",
        node.span,
        f"a domain limits numbers, integers, dates and timestamps, and this is {described(kind)}",
        "take the domain out",
    )


def empty_domain(node: tree.Domain) -> Diagnostic:
    """A domain that no value lies in."""
    return Diagnostic("DF0408", node.span, "no value lies in this domain", "write the lower end first")


def not_a_literal(node: tree.Expression) -> Diagnostic:
    """A computed value where one must be known beforehand."""
    return Diagnostic(
        "DF0409",
        node.span,
        "this must be known before any row is read",
        "write a literal or the name of a parameter",
    )


# Features


def option_unsuited(option: tree.Option, kind: Type, suited: str) -> Diagnostic:
    """An option that means nothing for the feature's type."""
    return Diagnostic(
        "DF0411", option.span, f"`{option.words}` goes with {suited} only, and this is {described(kind)}", "take it out"
    )


def optional_and_default(default: tree.Option, optional: tree.Option) -> Diagnostic:
    """A feature whose missing value should both stay missing and be replaced."""
    return Diagnostic(
        "DF0412",
        default.span,
        "a feature is `optional` or has a `default`, not both",
        "keep `optional` if a missing value should make conditions unknown; keep `default` if it stands for a value",
        (Note(optional.span, "`optional` is here"),),
    )


def default_outside(option: tree.Option, feature: Feature) -> Diagnostic:
    """A default that the feature's own domain refuses."""
    return Diagnostic(
        "DF0413", option.span, f"this default lies outside the domain {feature.domain}", "choose one inside the domain"
    )


def step_not_positive(option: tree.Option) -> Diagnostic:
    """A step that leads nowhere."""
    return Diagnostic("DF0414", option.span, "a step is greater than zero", "write the smallest change, such as `0.01`")


def keep_negative(option: tree.Option) -> Diagnostic:
    """A negative number of characters."""
    return Diagnostic("DF0414", option.span, "`keep` takes a number of characters", "write 0 or more")


def empty_column(option: tree.Option) -> Diagnostic:
    """A column without a header."""
    return Diagnostic("DF0415", option.span, "this column has no header", "write the header as it stands in the data")


def unknown_zone(option: tree.Option, zone: str) -> Diagnostic:
    """A time zone that does not exist."""
    import zoneinfo

    advice = did_you_mean(zone, zoneinfo.available_timezones()) or 'write it like `zone "Europe/Berlin"`'
    return Diagnostic("DF0416", option.span, f"`{zone}` is not a time zone", advice)


def any_case_is_ambiguous(node: tree.Feature) -> Diagnostic:
    """`any case` on labels that only case tells apart."""
    return Diagnostic(
        "DF0417",
        node.type.span,
        "with `any case`, labels that differ only by case cannot be told apart",
        "take `any case` out, or keep one of the labels",
    )


# Parameters


def set_of_unlike(member: tree.Expression, kind: Type, first: Type) -> Diagnostic:
    """A set of values of different types."""
    return Diagnostic(
        "DF0418",
        member.span,
        f"a set holds values of one type: this is {described(kind)}, and the first is {described(first)}",
        "quotes make a text of any of them",
    )


def name_in_parameter(node: tree.Name, declared: Declared[Any]) -> Diagnostic:
    """A parameter made of another declaration."""
    return Diagnostic(
        "DF0419",
        node.span,
        f"a parameter is a literal, and `{node.name}` is a {declared.noun}",
        f'declare a `derived` value; for the label or text, write "{node.name}"',
        (Note(declared.span, f"`{node.name}` is declared here"),),
    )


def parameter_outside(node: tree.Parameter, parameter: Parameter) -> Diagnostic:
    """A parameter that its own domain refuses."""
    return Diagnostic(
        "DF0420",
        node.value.span,
        f"`{parameter.name}` lies outside its domain {parameter.domain}",
        "change the value or the domain",
    )


def parameter_set_outside(parameter: Parameter, given: Any) -> Diagnostic:
    """A parameter set anew to what its domain refuses."""
    return Diagnostic(
        "DF0421",
        parameter.span,
        f"`{parameter.name}` was set to {given}, outside its domain {parameter.domain}",
        "set a value inside the domain",
    )


def parameter_set_wrongly(parameter: Parameter, given: Any) -> Diagnostic:
    """A parameter set anew to a value of another type."""
    several = f"a set of values, each {described(parameter.type)}" if parameter.is_set else described(parameter.type)
    return Diagnostic(
        "DF0421",
        parameter.span,
        f"`{parameter.name}` was set to {given!r}, and it is {several}",
        f"set {several}; with a point, as in `1.0`, a parameter is declared a number",
    )


# Decisions


def hit_policy_without_rules(node: tree.Decision, written: tree.HitPolicy) -> Diagnostic:
    """A hit policy where there are no rules to choose between."""
    companion = isinstance(node.body, tree.Companion)
    why = "a companion list takes its first rule that holds" if companion else "`=` has no rules"
    return Diagnostic("DF0428", written.span, f"`{written.name}` does not go with this decision: {why}", "take it out")


def priority_unsuited(node: tree.Decision, written: tree.HitPolicy, kind: Type) -> Diagnostic:
    """`priority` without labels in an order."""
    return Diagnostic(
        "DF0429",
        written.span,
        f"`priority` takes the first label of a vocabulary, and `{node.name.name}` is {described(kind)}",
        "declare a vocabulary, most important label first",
        (Note(node.type.span, "the type is declared here"),),
    )


def aggregation_unsuited(node: tree.Decision, written: tree.HitPolicy, kind: Type) -> Diagnostic:
    """A sum or an extreme of what is no number."""
    return Diagnostic(
        "DF0429",
        written.span,
        f"`collect {written.aggregation}` takes numbers, and `{node.name.name}` is {described(kind)}",
        "collect `list` or `count`, or declare a number",
        (Note(node.type.span, "the type is declared here"),),
    )


def direction_unsuited(node: tree.Decision, kind: Type) -> Diagnostic:
    """`best first` or `adverse` on what has no labels."""
    span = node.adverse[0].span if node.adverse else node.type.span
    words = "`adverse`" if node.adverse else "`best first` and `worst first`"
    verb = "goes" if node.adverse else "go"
    return Diagnostic(
        "DF0430", span, f"{words} {verb} with labels, and `{node.name.name}` is {described(kind)}", "take it out"
    )


def unknown_adverse(label: tree.Label, node: tree.Decision, kind: Vocabulary) -> Diagnostic:
    """An adverse outcome that the decision cannot have."""
    return Diagnostic(
        "DF0202",
        label.span,
        f"`{label.text}` is not a label of `{node.name.name}`",
        did_you_mean(label.text, kind.labels) or f"the labels are {listed(kind.labels)}",
        (Note(node.type.span, "the labels are declared here"),),
    )


def probability_as_fallback(
    node: tree.Expression, declared: Declared[Any], type_span: Span | None, wanted: Vocabulary
) -> Diagnostic:
    """A companion list whose fall-back gives a probability where a label is decided."""
    first, second = (*wanted.labels, "…", "…")[:2]
    name = declared.name
    notes = (Note(type_span, "its type is declared here"),) if type_span is not None else ()
    return Diagnostic(
        "DF0431",
        node.span,
        f"`{name}` gives a number, and the companion list decides a label",
        f"declare the model with the labels it predicts, or fall back on `if {name} >= 0.5 then {first} else {second}`",
        notes,
    )


def figure_twice(name: str, span: Span) -> Diagnostic:
    """A figure that is given twice."""
    return Diagnostic("DF0432", span, f"figure `{name}` is given twice", "take one of them out")


def share_outside(name: str, figure: tree.Number) -> Diagnostic:
    """A share below nothing or above everything."""
    return Diagnostic(
        "DF0432", figure.span, f"`{name}` is a share, and {figure.spelling} is not", "write it from 0% to 100%"
    )
