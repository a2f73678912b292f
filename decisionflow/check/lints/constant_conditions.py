"""Conditions that are never, or always, true, and thresholds outside a domain, which make them so."""

from __future__ import annotations

from collections.abc import Iterator

from decisionflow.check.boxes import OutOfReach, Slice
from decisionflow.check.excerpts import excerpt
from decisionflow.check.lints.subject import Linted, example
from decisionflow.check.messages import lints as messages
from decisionflow.check.spaces import all_atoms, subject
from decisionflow.check.witnesses import Claim, written
from decisionflow.conditions.expression import Constant, Count, Expression, IsMissing, Not, Or, Variable, conjuncts
from decisionflow.diagnostics import Diagnostic
from decisionflow.program.declarations import Derived, Domain, Rule


def constant_conditions(linted: Linted) -> Iterator[Diagnostic]:
    """Conditions that no value of their dimension, or every one, makes true; none of a threshold outside a domain."""
    for rule in linted.rules:
        for atom in all_atoms(rule.condition):
            if _outside(linted, atom) is None:
                holds = _always(linted, atom)
                if holds is not None and atom.span is not None:
                    text = excerpt(atom.span)
                    witness = _witness(linted, atom, holds)
                    yield messages.constant_condition(linted.decision, rule, atom.span, text, holds, witness)


def constant_combinations(linted: Linted) -> Iterator[Diagnostic]:
    """Combinations of conditions that are never, or always, true although each part can be either."""
    for rule in linted.rules:
        for part in conjuncts(rule.condition):
            if isinstance(part, Or | Count | Not) and all(_always(linted, atom) is None for atom in all_atoms(part)):
                holds = _combined(linted, part)
                if holds is not None and part.span is not None:
                    witness = linted.witness({}, _is(part, holds))
                    shown = example(linted, witness)
                    yield messages.constant_condition(
                        linted.decision, rule, part.span, excerpt(part.span), holds, shown
                    )


def _is(part: Expression, holds: bool) -> Claim:
    return lambda row: row.evaluate(part) is holds


def _combined(linted: Linted, part: Expression) -> bool | None:
    """True where a combination always holds, False where it never does, None where that depends or is out of reach."""
    try:
        where = linted.conditions.where(part)
        if not where:
            return False
        return None if linted.conditions.space.remainder([{}], where) else True
    except OutOfReach:
        return None


def thresholds(linted: Linted) -> Iterator[Diagnostic]:
    """Comparisons with a value that the domain of what is compared excludes."""
    for rule in linted.rules:
        for atom in all_atoms(rule.condition):
            found = _outside(linted, atom)
            if found is not None:
                yield _threshold(linted, rule, atom, *found)


def _threshold(
    linted: Linted, rule: Rule, atom: Expression, constant: Constant, variable: Variable, domain: Domain
) -> Diagnostic:
    shown = constant.name or excerpt(constant.span, written(constant.value))
    name = f"{variable.name}.{variable.part}" if variable.part else variable.name
    holds = _always(linted, atom)
    witness = "" if holds is None else _witness(linted, atom, holds)
    declared = linted.facts.program.node(variable.name).span
    span = constant.span if constant.span is not None else atom.span
    where = (linted.decision, rule, span)
    return messages.threshold_outside(where, shown, name, domain, declared, witness)


def _outside(linted: Linted, atom: Expression) -> tuple[Constant, Variable, Domain] | None:
    """The first constant of an atom that lies outside its variable's declared domain."""
    key, _, constants = subject(atom)
    if not isinstance(key, Variable) or key.name == "today":
        return None
    declared = linted.facts.program.node(key.name)
    domain = None if isinstance(declared, Derived) else declared.domain
    if domain is None:
        return None
    for constant in constants:
        below = domain.low is not None and constant.value < domain.low
        if below or (domain.high is not None and constant.value > domain.high):
            return constant, key, domain
    return None


def _always(linted: Linted, atom: Expression) -> bool | None:
    """True where an atom is always true, False where it never is, None where that depends."""
    conditions = linted.conditions
    everything = conditions.space.slices[subject(atom)[0]]
    if conditions.slice_where(atom, True).is_empty:
        return False
    if not conditions.slice_where(atom, False).is_empty or (everything.missing and not isinstance(atom, IsMissing)):
        return None
    return True


def _witness(linted: Linted, atom: Expression, holds: bool) -> str:
    key = subject(atom)[0]
    whole: Slice = linted.conditions.space.slices[key]
    found = linted.witness({key: whole}, lambda row: row.evaluate(atom) is holds)
    return example(linted, found)
