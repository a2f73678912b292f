"""What is said about declarations: features, parameters, models, decisions, tests (DF04xx)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from decisionflow.check.cycles import Edge
from decisionflow.check.messages.names import listed
from decisionflow.check.messages.types import described
from decisionflow.check.scope import Declared, Scope
from decisionflow.diagnostics import Diagnostic, Note, did_you_mean
from decisionflow.program.declarations import Feature, ModelDeclaration, Parameter
from decisionflow.program.program import Program
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


# Models


def model_type_unsuited(node: tree.Model, kind: Type) -> Diagnostic:
    """A model that would give what no model gives."""
    return Diagnostic(
        "DF0422",
        node.type.span,
        f"a model does not give {described(kind)}",
        "its type is `probability of LABEL`, `score of LABEL`, `number` or a vocabulary of predicted classes",
    )


def model_domain_unsuited(node: tree.Model) -> Diagnostic:
    """A domain on a probability, score or label."""
    span = node.domain.span if node.domain is not None else node.span
    return Diagnostic("DF0423", span, "only a model of type `number` has a domain", "take the domain out")


def class_label_unsuited(node: tree.Expression) -> Diagnostic:
    """A class that no model has."""
    return Diagnostic(
        "DF0424", node.span, "a model's class is a name, a number or a text", "write it as the model does"
    )


def input_twice(item: tree.Input, column: str, first: tree.Input) -> Diagnostic:
    """Two inputs of one column."""
    return Diagnostic(
        "DF0425",
        item.span,
        f"two inputs feed the column `{column}`",
        "take one of them out, or name another column with `as`",
        (Note(first.span, "the first is here"),),
    )


def unknown_input(item: tree.Input, scope: Scope) -> Diagnostic:
    """An input that is not declared."""
    known = [name for name, declared in scope.declared.items() if declared.kind not in ("parameter", "decision")]
    advice = did_you_mean(item.name.name, known) or "declare it as a feature or a derived value"
    return Diagnostic("DF0201", item.name.span, f"`{item.name.name}` is not a name that this policy declares", advice)


def input_of_wrong_kind(item: tree.Input, declared: Declared[Any]) -> Diagnostic:
    """A model fed by a parameter or a decision."""
    return Diagnostic(
        "DF0426",
        item.name.span,
        f"a model reads features, derived values and models, and `{declared.name}` is a {declared.noun}",
        f"declare a derived value: `derived NAME = {declared.name}`",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def unknown_stored_input(model: ModelDeclaration, name: str, known: Iterable[str]) -> Diagnostic:
    """An input that the model itself asks for and the policy does not have."""
    advice = did_you_mean(name, known)
    return Diagnostic(
        "DF0427",
        model.span,
        f"model `{model.name}` asks for `{name}`, which is no feature, derived value or model of this policy",
        f'{advice + " " if advice else ""}declare it, or name the inputs: `using … as "{name}"`',
    )


def cycle_through_model(path: Sequence[Edge], program: Program) -> Diagnostic:
    """A model whose stored inputs are computed from its own output."""
    route = " -> ".join([*(edge.reader for edge in path), path[0].reader])
    return Diagnostic(
        "DF0207",
        program.node(path[0].reader).span,
        f"these are computed from each other: {route}",
        "name the model's inputs with `using`",
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


# Tests


def example_twice(node: tree.Example, first: tree.Example) -> Diagnostic:
    """Two tests of one name."""
    return Diagnostic(
        "DF0433",
        node.name.span,
        f'test "{node.name.value}" is written twice',
        "results name the test: give each its own name",
        (Note(first.name.span, "it is written here first"),),
    )


def given_twice(name: str, span: Span) -> Diagnostic:
    """A value that a test gives twice."""
    return Diagnostic("DF0434", span, f"`{name}` is given twice", "take one of them out")


def not_given(declared: Declared[Any], span: Span) -> Diagnostic:
    """A test that gives what it cannot."""
    is_parameter = declared.kind == "parameter"
    return Diagnostic(
        "DF0435",
        span,
        f"a test gives features, models and decisions, and `{declared.name}` is a {declared.noun}",
        "a parameter keeps its value in tests" if is_parameter else "give the features that it is computed from",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def not_expected(declared: Declared[Any], span: Span) -> Diagnostic:
    """A test that expects what is no decision."""
    return Diagnostic(
        "DF0435",
        span,
        f"a test expects decisions, and `{declared.name}` is a {declared.noun}",
        f"expect a decision that reads `{declared.name}`",
        (Note(declared.span, f"`{declared.name}` is declared here"),),
    )


def given_missing(declared: Declared[Any], span: Span) -> Diagnostic:
    """A model or a decision that a test gives as missing by parts."""
    return Diagnostic("DF0435", span, f"a part of `{declared.name}` cannot be missing on its own", "give all its parts")


def parts_not_given(name: str, lacking: Sequence[str], span: Span) -> Diagnostic:
    """A record of which a test gives some parts only."""
    return Diagnostic("DF0436", span, f"`{name}` is given without {listed(lacking)}", "give all of its parts")
