"""What is said about rules that are sound but hardly meant (DF07xx); each shows a row that was evaluated."""

from __future__ import annotations

from collections.abc import Sequence

from decisionflow.check.messages.names import listed
from decisionflow.diagnostics import Diagnostic, Note
from decisionflow.program.declarations import Decision, Domain, Rule
from decisionflow.source import Span


def _warning(code: str, span: Span | None, message: str, advice: str, notes: tuple[Note, ...] = ()) -> Diagnostic:
    return Diagnostic(code, span, message, advice, notes, "warning")


def _also(rules: Sequence[Rule], text: str) -> tuple[Note, ...]:
    return tuple(Note(rule.span, text.format(rule.name)) for rule in rules[:3] if rule.span is not None)


def unreachable(decision: Decision, rule: Rule, causes: Sequence[Rule], witness: str) -> Diagnostic:
    """A rule whose every case earlier rules take."""
    takes = listed(cause.name for cause in causes)
    return _warning(
        "DF0701",
        rule.span,
        f"rule `{rule.name}` of `{decision.name}` can never fire: {takes} before it "
        f"take{'s' if len(causes) == 1 else ''} all of its cases{witness}",
        f"move `{rule.name}` up, or take it out",
        _also(causes, "rule `{}` is here"),
    )


def contradiction(decision: Decision, rule: Rule, parts: Sequence[str], witness: str) -> Diagnostic:
    """A rule whose conditions exclude each other."""
    which = " and ".join(f"`{part}`" for part in parts)
    return _warning(
        "DF0702",
        rule.span,
        f"rule `{rule.name}` of `{decision.name}` can never hold: {which} exclude each other{witness}",
        "change one of the conditions, or take the rule out",
    )


def constant_condition(
    decision: Decision, rule: Rule, span: Span | None, text: str, holds: bool, witness: str
) -> Diagnostic:
    """A condition that every value decides alike."""
    always = "always true" if holds else "never true"
    return _warning(
        "DF0703",
        span,
        f"in rule `{rule.name}` of `{decision.name}`, `{text}` is {always}{witness}",
        "take the condition out, or change it" if holds else "change the condition, or take the rule out",
    )


def threshold_outside(
    where: tuple[Decision, Rule, Span | None],
    threshold: str,
    name: str,
    domain: Domain,
    declared: Span | None,
    witness: str,
) -> Diagnostic:
    """A comparison with a value that the domain excludes."""
    decision, rule, span = where
    notes = (Note(declared, f"`{name}` is declared here"),) if declared is not None else ()
    return _warning(
        "DF0704",
        span,
        f"in rule `{rule.name}` of `{decision.name}`, `{threshold}` lies outside the domain {domain} of "
        f"`{name}`{witness}",
        "change the threshold or the domain",
        notes,
    )


def overlap(decision: Decision, first: Rule, second: Rule, hit_policy: str, witness: str) -> Diagnostic:
    """Two rules that fire for one row where only one may, or where they must agree."""
    return _warning(
        "DF0705",
        second.span,
        f"rules `{first.name}` and `{second.name}` of `{decision.name}` overlap under `{hit_policy}`{witness}",
        "part their conditions, or use `first`",
        _also([first], "rule `{}` is here"),
    )


def gap(decision: Decision, span: Span | None, region: str, neighbours: Sequence[Rule], witness: str) -> Diagnostic:
    """Rows that no rule takes."""
    near = f" (nearest: {listed(rule.name for rule in neighbours[:3])})" if neighbours else ""
    return _warning(
        "DF0706",
        span,
        f"no rule of `{decision.name}` covers {region}{near}{witness}",
        "widen a rule, add one, or add `otherwise`",
        _also(neighbours, "rule `{}` is here"),
    )


def missing_reaches_another(
    decision: Decision, rule: Rule, feature: str, declared: Span | None, witness: str
) -> Diagnostic:
    """A missing value that makes a rule unknown, so that the row ends elsewhere."""
    notes = (Note(declared, f"`{feature}` is declared optional here"),) if declared is not None else ()
    return _warning(
        "DF0707",
        rule.span,
        f"where `{feature}` is missing, rule `{rule.name}` of `{decision.name}` is unknown and another outcome "
        f"is reached{witness}",
        f"say what happens then, with a rule before it: `if {feature} is missing then …`",
        notes,
    )


def outcome_outside(decision: Decision, rule: Rule, span: Span | None, shown: str, domain: Domain) -> Diagnostic:
    """An outcome that makes its decision invalid whenever the rule fires."""
    return _warning(
        "DF0708",
        span,
        f"rule `{rule.name}` gives {shown}, outside the domain {domain} of `{decision.name}`: it would be invalid",
        "change the outcome or the domain",
    )
