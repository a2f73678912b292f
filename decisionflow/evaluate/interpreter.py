"""The naive reference interpreter: the meaning of a policy, one row and one value at a time.

Every law of the language stands here once, with no thought for speed; the columnar evaluator is tested against it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
    Bound,
    Choose,
    Compare,
    Constant,
    Count,
    Expression,
    IsMissing,
    MakeRecord,
    Not,
    Or,
    Variable,
    Within,
    conjuncts,
    is_written,
)
from decisionflow.conditions.kleene import Truth, conjunction, counting, disjunction, negation
from decisionflow.conditions.operators import AT_LEAST, AT_MOST, EQUAL, GREATER, LESS, Comparison
from decisionflow.conditions.values import MISSING, Failure, Value, is_known
from decisionflow.evaluate.combining import as_read, as_type, combine, nothing_fired, settle
from decisionflow.evaluate.companion import active_rules
from decisionflow.evaluate.modelled import modelled_names
from decisionflow.evaluate.outcome import Outcome
from decisionflow.evaluate.settings import Settings
from decisionflow.program.declarations import (
    PROBABILITIES,
    CompanionList,
    Decision,
    Derived,
    Formula,
    ModelDeclaration,
    Rule,
    RuleList,
)
from decisionflow.program.program import Program
from decisionflow.types import Integer, Number, Type, Vocabulary


@dataclass(frozen=True, slots=True)
class RowModel:
    """A model as the interpreter calls it: from its inputs by column name to one raw output, never a batch.

    It takes missing values in all of its inputs, or in those named.
    """

    output: Callable[[Mapping[str, Value]], Value]
    takes_missing: bool = False
    missing_inputs: frozenset[str] = frozenset()

    def takes_missing_in(self, column: str) -> bool:
        """Whether this input may be missing."""
        return self.takes_missing or column in self.missing_inputs


class _Unready(Exception):
    """A name is needed whose value has not been computed yet."""

    def __init__(self, name: str) -> None:
        self.name = name


class Row:
    """One row being decided: its features (a Failure where one is invalid), and every value computed from them so far.

    `fixed` gives the values of derived values, models or decisions instead of computing them.
    """

    def __init__(
        self,
        program: Program,
        features: Mapping[str, Value],
        models: Mapping[str, RowModel],
        settings: Settings,
        fixed: Mapping[str, Value] | None = None,
    ) -> None:
        self.program, self.models, self.settings = program, models, settings
        self.features = dict(features)
        self.fixed = dict(fixed or {})
        self.values: dict[str, Value] = {"today": settings.today, **self.features, **self.fixed}
        self.outcomes: dict[str, Outcome] = {}
        self.reads = {name: () if name in self.fixed else used for name, used in program.reads.items()}
        self.model_names = modelled_names(program, self.fixed)

    def decide(self, name: str) -> Outcome:
        """The outcome of a decision; decided once."""
        self.value_of(name)
        return self.outcomes[name]

    def value_of(self, name: str) -> Value:
        """The value of a name, computed when it is first asked for; without recursion from name to name."""
        waiting = [name]
        while waiting:
            try:
                if waiting[-1] not in self.values:
                    self.values[waiting[-1]] = self._compute(waiting[-1])
                waiting.pop()
            except _Unready as missing:
                waiting.append(missing.name)
        return self.values[name]

    def evaluate(self, expression: Expression) -> Value:
        """The value of an expression (laws 1, 3, 4), all names that it needs computed first."""
        return self._answered(lambda: self._evaluate(expression))

    def _answered(self, question: Callable[[], Value]) -> Value:
        """The answer to a question from outside, asked again until every name that it needs has been computed."""
        while True:
            try:
                return question()
            except _Unready as missing:
                self.value_of(missing.name)

    def needs_model(self, expression: Expression) -> bool:
        """Whether a model stands behind an expression; what a decision needs it asks for itself."""
        return not self.model_names.isdisjoint(self.program.names_in(expression))

    def is_open(self, condition: Expression) -> Truth:
        """What the conditions without models say of a rule: false and error close it, so that no model runs (law 5)."""
        return self._answered(lambda: self._is_open(condition))

    def truth(self, rule: Rule) -> Truth:
        """Whether a rule's condition holds, also of a rule that no decision about this row came to."""
        return self._answered(lambda: self._truth(rule))

    def _is_open(self, condition: Expression) -> Truth:
        return conjunction(self._evaluate(part) for part in conjuncts(condition) if not self.needs_model(part))

    def _truth(self, rule: Rule) -> Truth:
        closed = self._is_open(rule.condition)
        if closed is False or isinstance(closed, Failure):
            return closed
        return conjunction(self._evaluate(part) for part in conjuncts(rule.condition))

    def invalid_features(self, name: str) -> tuple[str, ...]:
        """The features behind a name whose values are invalid, in order of declaration (law 2)."""
        behind, waiting = set(), [name]
        while waiting:
            for used in self.reads.get(waiting.pop(), ()):
                if used not in behind:
                    behind.add(used)
                    waiting.append(used)
        return tuple(
            name for name in self.program.features if name in behind and isinstance(self.values[name], Failure)
        )

    def rules_of(self, decision: Decision) -> tuple[Rule, ...]:
        """The rules that may decide this row: all, or those that a companion list uses at its transparency."""
        if isinstance(decision.body, CompanionList):
            return active_rules(self.program, decision, decision.body, self.settings, self.features)
        return decision.rules

    # Names

    def _lookup(self, variable: Variable) -> Value:
        if variable.name not in self.values:
            raise _Unready(variable.name)
        value = self.values[variable.name]
        return value[variable.part] if variable.part and is_known(value) else value

    def _compute(self, name: str) -> Value:
        node = self.program.node(name)
        if isinstance(node, Decision):
            self.outcomes[name] = self._decide(node)
            return as_read(name, self.outcomes[name])
        if isinstance(node, ModelDeclaration):
            return self._run(node)
        if isinstance(node, Derived):
            return self._evaluate(node.expression)
        raise KeyError(f"no value was given for feature `{name}`")

    def _run(self, node: ModelDeclaration) -> Value:
        """The output of a model, checked; an error value where an input or the output is not usable (law 8)."""
        inputs = {column: self._lookup(Variable(used, node.type)) for used, column in node.inputs}
        model = self.models[node.name]
        for (used, column), value in zip(node.inputs, inputs.values(), strict=True):
            if isinstance(value, Failure):
                return value
            if value is MISSING and not model.takes_missing_in(column):
                return Failure(f"model `{node.name}` does not take missing values, and `{used}` is missing")
        return checked_output(node, model.output(inputs))

    # Expressions

    def _evaluate(self, expression: Expression) -> Value:
        match expression:
            case Constant(value=value):
                return value
            case Variable():
                return self._lookup(expression)
            case Apply(function=function, arguments=arguments):
                values = [self._evaluate(argument) for argument in arguments]
                return as_type(_first_unknown(values, function.meaning), expression.type)
            case Compare(comparison=comparison, left=left, right=right):
                return self._compare(comparison, left, right)
            case Within(value=value, low=low, high=high):
                ends = ((low, AT_LEAST, GREATER), (high, AT_MOST, LESS))
                return conjunction(
                    self._compare(_operator(end, closed, open_), value, end.value)
                    for end, closed, open_ in ends
                    if end is not None
                )
            case Among(value=value, choices=choices):
                return disjunction(self._compare(EQUAL, value, choice) for choice in choices)
            case IsMissing(value=value):
                found = self._evaluate(value)
                return found if isinstance(found, Failure) else found is MISSING
            case Not(part=part):
                return negation(self._evaluate(part))
            case And(parts=parts):
                return self._logic(parts, False, conjunction)
            case Or(parts=parts):
                return self._logic(parts, True, disjunction)
            case Count():
                return self._count(expression)
            case Choose(condition=condition, then=then, otherwise=otherwise):
                chosen = self._evaluate(condition)
                value = self._evaluate(then if chosen else otherwise) if is_known(chosen) else chosen
                return as_type(value, expression.type)
            case MakeRecord(parts=parts):
                record = {name: self._evaluate(part) for name, part in parts}
                return _first_unknown(list(record.values()), lambda *_: record)

    def _compare(self, comparison: Comparison, left: Expression, right: Expression) -> Truth:
        tolerant = not (is_written(left) and is_written(right))
        values = [self._evaluate(left), self._evaluate(right)]
        return _first_unknown(values, lambda a, b: holds(comparison, a, b, left.type, right.type, tolerant))

    def _logic(
        self, parts: tuple[Expression, ...], decisive: bool, combine: Callable[[Iterable[Truth]], Truth]
    ) -> Truth:
        """`and` or `or`: parts with a model are asked only where the others leave the answer open."""
        seen = [self._evaluate(part) for part in parts if not self.needs_model(part)]
        if any(part is decisive for part in seen):
            return decisive
        return combine(seen + [self._evaluate(part) for part in parts if self.needs_model(part)])

    def _count(self, node: Count) -> Truth:
        seen = [self._evaluate(part) for part in node.parts if not self.needs_model(part)]
        later = [part for part in node.parts if self.needs_model(part)]
        early = counting(node.quantifier, node.number, [*seen, *(MISSING for _ in later)])
        if isinstance(early, bool):
            return early
        return counting(node.quantifier, node.number, seen + [self._evaluate(part) for part in later])

    # Decisions

    def _decide(self, decision: Decision) -> Outcome:
        invalid = self.invalid_features(decision.name)
        if invalid:
            return Outcome("invalid", problem="; ".join(dict.fromkeys(self.values[name].reason for name in invalid)))
        body = decision.body
        if isinstance(body, Formula):
            return settle(decision, self._evaluate(body.expression), ())
        if isinstance(body, CompanionList):
            return self._companion(decision, body)
        return (
            self._first(decision, self.rules_of(decision)) if body.hit_policy == "first" else self._all(decision, body)
        )

    def _first(self, decision: Decision, rules: tuple[Rule, ...]) -> Outcome:
        for rule in rules:
            truth = self._truth(rule)
            if isinstance(truth, Failure):
                return Outcome("invalid", problem=f"rule `{rule.name}`: {truth.reason}")
            if truth is True:
                return settle(decision, self._evaluate(rule.outcome), (rule,))
        return Outcome("undecided")

    def _companion(self, decision: Decision, body: CompanionList) -> Outcome:
        found = self._first(decision, self.rules_of(decision))
        if found.status != "undecided" or found.rules:
            return found
        value = self._evaluate(body.fallback)
        return settle(decision, value, (Rule(body.fallback_name, body.fallback, body.fallback),))

    def _all(self, decision: Decision, body: RuleList) -> Outcome:
        truths = [self._truth(rule) for rule in body.rules]
        for rule, truth in zip(body.rules, truths, strict=True):
            if isinstance(truth, Failure):
                return Outcome("invalid", problem=f"rule `{rule.name}`: {truth.reason}")
        fired = tuple(rule for rule, truth in zip(body.rules, truths, strict=True) if truth is True)
        if not fired:
            otherwise = MISSING if body.otherwise is None else self._evaluate(body.otherwise.outcome)
            return nothing_fired(decision, body, otherwise)
        return combine(decision, body, fired, [self._evaluate(rule.outcome) for rule in fired])


def holds(comparison: Comparison, left: Value, right: Value, left_type: Type, right_type: Type, tolerant: bool) -> bool:
    """Whether a comparison of two known values is true (law 1)."""
    if isinstance(left_type, Vocabulary) and comparison.orders:
        left, right = left_type.labels.index(left), left_type.labels.index(right)
    if isinstance(left_type, Number) or isinstance(right_type, Number):
        return comparison.holds(float(left), float(right), tolerant)
    return comparison.holds(left, right) if comparison.orders else (left == right) == comparison.closed


def checked_output(node: ModelDeclaration, value: Value) -> Value:
    """A model's output if it is of the declared type and domain, else the error that says why not (law 8)."""
    if not is_known(value):
        return value
    if isinstance(node.type, Vocabulary):
        allowed = value in node.type.labels
        return value if allowed else Failure(f'model `{node.name}` gave "{value}", which is none of {node.type}')
    number = int(value) if isinstance(node.type, Integer) else float(value)
    if not math.isfinite(number) or number != value:
        return Failure(f"model `{node.name}` gave {value}, which is no {node.type}")
    domain = PROBABILITIES if node.output.kind == "probability" else node.domain
    if domain is not None and not domain.contains(number, computed=True):
        return Failure(f"model `{node.name}` gave {value}, outside {domain}")
    return number


def _operator(end: Bound, closed: Comparison, open_: Comparison) -> Comparison:
    return closed if end.closed else open_


def _first_unknown(values: list[Value], meaning: Callable[..., Value]) -> Value:
    """The function of known values; an error if any is an error, else missing if any is missing."""
    for value in values:
        if isinstance(value, Failure):
            return value
    return MISSING if any(value is MISSING for value in values) else meaning(*values)
