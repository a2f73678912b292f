"""Declarations of what a policy reads, and its examples; the file as a whole."""

# ruff: noqa: ARG001 -- every maker takes the same arguments
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.syntax import messages, tree
from decisionflow.syntax.nodes.building import Building, Make, described, spelled
from decisionflow.syntax.nodes.expressions import pair
from decisionflow.syntax.tokens import Token


@frozen
class Uri:
    """`from "URI"`."""

    text: tree.Text
    span: Span


@frozen
class Inputs:
    """`using a, b`."""

    names: tuple[tree.Input, ...]
    span: Span


def file(build: Building, parts: list[Any], span: Span) -> tuple[tree.Declaration, ...]:
    policies = [item for item in parts if isinstance(item, tree.Policy)]
    for extra in policies[1:]:
        build.report(messages.policy_twice(extra.span, policies[0].span))
    if policies and parts[0] is not policies[0]:
        build.report(messages.policy_not_first(policies[0].span))
    return tuple(parts)


def policy(build: Building, parts: list[Any], span: Span) -> tree.Policy:
    return tree.Policy(build.name(parts[0]), described(parts[1]), span)


def use(build: Building, parts: list[Any], span: Span) -> tree.Use:
    return tree.Use(build.text(parts[0]), span)


def background(build: Building, parts: list[Any], span: Span) -> tree.Background:
    return tree.Background(build.text(parts[0]), span)


def feature(build: Building, parts: list[Any], span: Span) -> tree.Feature:
    name, kind, *clauses = parts
    domain = only(build, clauses, (tree.Range, tree.HalfDomain), "domain")
    description = only(build, clauses, Token, "description")
    options: dict[str, tree.Option] = {}
    for option in (clause for clause in clauses if isinstance(clause, tree.Option)):
        if option.words in options:
            build.report(messages.written_twice(option.span, option.words, options[option.words].span))
        options.setdefault(option.words, option)
    return tree.Feature(name, kind, domain, tuple(options.values()), described(description), span)


def option(build: Building, parts: list[Any], span: Span) -> tree.Option:
    words = [part.text.lower() for part in parts if isinstance(part, Token)]
    value = None if isinstance(parts[-1], Token) else parts[-1]
    return tree.Option(" ".join(words).removesuffix(" keep"), value, span)


def parameter(build: Building, parts: list[Any], span: Span) -> tree.Parameter:
    name, value, domain, description = parts
    return tree.Parameter(name, value, domain, described(description), span)


def derived(build: Building, parts: list[Any], span: Span) -> tree.Derived:
    return tree.Derived(parts[0], parts[1], described(parts[2]), span)


def model(build: Building, parts: list[Any], span: Span) -> tree.Model:
    name, kind, *clauses = parts
    domain = only(build, clauses, (tree.Range, tree.HalfDomain), "domain")
    description = only(build, clauses, Token, "description")
    uri = only(build, clauses, Uri, "from")
    inputs = only(build, clauses, Inputs, "using")
    return tree.Model(
        name, kind, domain, described(description), uri and uri.text, inputs.names if inputs else (), span
    )


def uri(build: Building, parts: list[Any], span: Span) -> Uri:
    return Uri(parts[0], span)


def inputs(build: Building, parts: list[Any], span: Span) -> Inputs:
    return Inputs(tuple(parts), span)


def model_input(build: Building, parts: list[Any], span: Span) -> tree.Input:
    name, column = parts
    return tree.Input(name, None if column is None else spelled(column), span)


def output_type(build: Building, parts: list[Any], span: Span) -> tree.OutputType:
    kind = "probability" if parts[0].kind == "PROBABILITY" else "score"
    return tree.OutputType(kind, parts[-1], span)  # type: ignore[arg-type]


def plain_type(build: Building, parts: list[Any], span: Span) -> tree.PlainType:
    return tree.PlainType(parts[0].text.lower(), span)


def vocabulary(build: Building, parts: list[Any], span: Span) -> tree.VocabularyType:
    return tree.VocabularyType(tuple(parts), False, span)


def ordered(build: Building, parts: list[Any], span: Span) -> tree.VocabularyType:
    return tree.VocabularyType(tuple(parts), True, span)


def label(build: Building, parts: list[Any], span: Span) -> tree.Label:
    return tree.Label(spelled(parts[0]), span)


def record_type(build: Building, parts: list[Any], span: Span) -> tree.RecordType:
    return tree.RecordType(tuple(parts), span)


def half_domain(build: Building, parts: list[Any], span: Span) -> tree.HalfDomain:
    return tree.HalfDomain(parts[0].text, parts[1], span)


def example(build: Building, parts: list[Any], span: Span) -> tree.Example:
    name, *rest = parts
    expected = tuple(part for part in rest if isinstance(part, tree.Expectation))
    given = tuple(part for part in rest if isinstance(part, tuple))
    return tree.Example(name, given, expected, span)


def absent(build: Building, parts: list[Any], span: Span) -> None:
    return None


def expectation(build: Building, parts: list[Any], span: Span) -> tree.Expectation:
    name, value, by, reason = parts
    return tree.Expectation(name, "decided", value, by, reason, span)


def expected_status(build: Building, parts: list[Any], span: Span) -> tree.Expectation:
    name, status = parts
    return tree.Expectation(name, status.text.lower(), None, None, None, span)


def first(build: Building, parts: list[Any], span: Span) -> Any:
    return parts[0]


def by_row(build: Building, parts: list[Any], span: Span) -> tree.Text:
    return tree.Text(f"row {parts[0].text}", span)


def by_otherwise(build: Building, parts: list[Any], span: Span) -> tree.Name:
    return tree.Name("otherwise", False, span)


def code(build: Building, parts: list[Any], span: Span) -> str:
    return spelled(parts[0])


def only(build: Building, clauses: Iterable[Any], kind: Any, what: str) -> Any:
    """The one clause of a kind, None where none is written; a second one is a mistake."""
    found = [clause for clause in clauses if isinstance(clause, kind)]
    for extra in found[1:]:
        build.report(messages.written_twice(_place(build, extra), what, _place(build, found[0])))
    return found[0] if found else None


def _place(build: Building, clause: Any) -> Span:
    return build.span(clause) if isinstance(clause, Token) else clause.span


DECLARATIONS: dict[str, Make] = {
    "start": file,
    "policy": policy,
    "use": use,
    "background": background,
    "feature": feature,
    "option": option,
    "table_option": option,
    "parameter": parameter,
    "derived": derived,
    "model": model,
    "uri": uri,
    "inputs": inputs,
    "input": model_input,
    "output_type": output_type,
    "plain_type": plain_type,
    "vocabulary": vocabulary,
    "ordered": ordered,
    "label": label,
    "record_type": record_type,
    "record_part": pair,
    "half_domain": half_domain,
    "example": example,
    "given": pair,
    "absent": absent,
    "expectation": expectation,
    "expected_status": expected_status,
    "status": first,
    "by": first,
    "by_row": by_row,
    "by_otherwise": by_otherwise,
    "expected_reason": first,
    "code": code,
}
