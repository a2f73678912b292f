"""What is said about names, labels, functions and rules (DF02xx)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from decisionflow.check.scope import Declared, Reference, Scope
from decisionflow.check.wanted import Wanted
from decisionflow.conditions.operators import CALLS
from decisionflow.diagnostics import Diagnostic, Note, did_you_mean
from decisionflow.program.declarations import Parameter
from decisionflow.source import Span
from decisionflow.syntax import tree
from decisionflow.types import Record, Vocabulary

MOST_ADVISED = 100
"""Unknown words of a policy that the nearest name is sought for: with more of them something else is wrong."""

KEYWORDS = ("and", "or", "not", "in", "is", "missing", "present", "if", "then", "else", "otherwise", "true", "false")


def unknown_name(node: tree.Name, scope: Scope) -> Diagnostic:
    """A word that is neither declared nor a label that is expected."""
    owner = scope.owner_of_label(node.name)
    scope.unknown.add(node.name)
    if len(scope.unknown) > MOST_ADVISED:
        advice = ""
    elif owner is not None:
        advice = f"`{node.name}` is a label of `{owner}`; compare it with that: `{owner} = {node.name}`"
    else:
        labels = [label for _, kind in scope.vocabularies for label in kind.labels]
        advice = did_you_mean(node.name, [*KEYWORDS, *CALLS, *labels, "today", *scope.declared])
    advice = advice or "declare it as a feature, parameter or derived value; a text takes quotes"
    return Diagnostic("DF0201", node.span, f"`{node.name}` is not a name that this policy declares", advice)


def unknown_label(word: str, span: Span, wanted: Wanted, scope: Scope, parameter: str = "") -> Diagnostic:
    """A word that the vocabulary expected here does not have."""
    labels = wanted.type.labels if isinstance(wanted.type, Vocabulary) else ()
    place = _declared_here(wanted)
    found = f"`{word}`, of parameter `{parameter}`," if parameter else f"`{word}`"
    same = [label for label in labels if label.casefold() == word.casefold()]
    if same:
        return Diagnostic(
            "DF0203", span, f"{found} is written `{same[0]}` in {wanted.place}", f"write `{same[0]}`", place
        )
    advice = did_you_mean(word, labels) or (did_you_mean(word, scope.declared) or f"the labels are {listed(labels)}")
    return Diagnostic("DF0202", span, f"{found} is not a label of {wanted.place}", advice, place)


def label_or_name(node: tree.Name, declared: Declared[Any]) -> Diagnostic:
    """A bare word that is a label expected here and a declared name as well."""
    return Diagnostic(
        "DF0205",
        node.span,
        f"`{node.name}` is both a label that may stand here and the name of a {declared.noun}",
        f'write "{node.name}" for the label, or `{node.name}` in backquotes for the {declared.noun}',
        (Note(declared.span, f"the {declared.noun} `{node.name}` is declared here"),),
    )


def declared_twice(second: Declared[Any], first: Declared[Any]) -> Diagnostic:
    """Two declarations of one name."""
    name = second.name
    return Diagnostic(
        "DF0204",
        second.span,
        f"{second.noun} `{name}` is declared twice",
        "features, parameters, derived values, models and decisions share one space of names: rename one of the two",
        (Note(first.span, f"{first.noun} `{name}` is declared here first"),),
    )


def unknown_function(node: tree.Call, scope: Scope) -> Diagnostic:
    """A call of what is no function."""
    name = node.function.name
    if name in scope.declared:
        advice = f"`{name}` is a {scope.declared[name].noun}; to multiply, write `*`"
    else:
        advice = did_you_mean(name, CALLS) or f"the functions are {listed(CALLS)}"
    return Diagnostic("DF0206", node.function.span, f"`{name}` is not a function", advice)


def cycle(path: Sequence[Reference], scope: Scope) -> Diagnostic:
    """Names that are computed from each other; the path is closed."""
    names = [reference.reader for reference in path]
    route = " -> ".join([*names, names[0]])
    first = scope.declared[names[0]]
    message = f"`{names[0]}` is computed from itself" if len(path) == 1 else "these are computed from each other"
    notes = tuple(Note(reference.span, f"`{reference.reader}` reads `{reference.name}` here") for reference in path)
    return Diagnostic("DF0207", first.span, f"{message}: {route}", "take one of these readings out", notes)


def differs_by_case(name: str, span: Span, other: str, first: Span, what: str) -> Diagnostic:
    """Two names that differ only by case; allowed, but seldom meant."""
    return Diagnostic(
        "DF0208",
        span,
        f"{what} `{name}` and `{other}` differ only by case",
        "they are two different names; rename one, so that nobody confuses them",
        (Note(first, f"`{other}` is declared here"),),
        "warning",
    )


def unknown_part(record: str, part: tree.Name, kind: Record, declared: Span | None = None) -> Diagnostic:
    """A part that a record does not have; `record` as a message names it."""
    parts = [name for name, _ in kind.parts]
    advice = did_you_mean(part.name, parts) or f"its parts are {listed(parts)}"
    notes = (Note(declared, "the record is declared here"),) if declared else ()
    return Diagnostic("DF0209", part.span, f"{record} has no part `{part.name}`", advice, notes)


def rule_twice(name: str, span: Span, first: Span, decision: str) -> Diagnostic:
    """Two rules of one name in a decision."""
    return Diagnostic(
        "DF0210",
        span,
        f"rule `{name}` of `{decision}` is defined twice",
        "results name the rule that fired: give each its own name",
        (Note(first, f"rule `{name}` is defined here first"),),
    )


def set_as_value(node: tree.Name, parameter: Parameter) -> Diagnostic:
    """A parameter that is a set, read as one value."""
    notes = (Note(parameter.span, "declared here"),) if parameter.span else ()
    return Diagnostic("DF0211", node.span, f"`{node.name}` is a set, not one value", f"ask `… in {node.name}`", notes)


def unknown_parameter(name: str, parameters: Iterable[str]) -> Diagnostic:
    """A parameter set anew that the policy does not have."""
    known = list(parameters)
    advice = did_you_mean(name, known) or (f"its parameters are {listed(known)}" if known else "it has none")
    return Diagnostic("DF0212", None, f"the policy has no parameter `{name}` to set", advice)


def unknown_rule(name: str, span: Span, decision: str, rules: Sequence[str]) -> Diagnostic:
    """A test that expects a rule which its decision does not have."""
    advice = did_you_mean(name, rules) or (f"its rules are {listed(rules)}" if rules else "it has no rules")
    return Diagnostic("DF0213", span, f"`{decision}` has no rule `{name}`", advice)


def today_declared(node: tree.Name, kind: str) -> Diagnostic:
    """A declaration that would hide the date of the run."""
    return Diagnostic(
        "DF0214", node.span, f"{kind} `today` would hide the date of the run", "choose another name, such as `as_of`"
    )


def unknown_reason(code: str, span: Span, decision: str, codes: Sequence[str]) -> Diagnostic:
    """A test that expects a reason which no rule of its decision gives."""
    advice = did_you_mean(code, codes) or (f"its reasons are {listed(codes)}" if codes else "it gives no reasons")
    return Diagnostic("DF0215", span, f"no rule of `{decision}` gives the reason `{code}`", advice)


def listed(words: Iterable[str], most: int = 12) -> str:
    """Words in backquotes, joined by commas; of many, the first few."""
    known = list(words)
    shown = ", ".join(f"`{word}`" for word in known[:most])
    return shown + (f" and {len(known) - most} more" if len(known) > most else "")


def _declared_here(wanted: Wanted) -> tuple[Note, ...]:
    return (Note(wanted.declared, "the labels are declared here"),) if wanted.declared is not None else ()
