"""Opens expressions and conditions of a policy down to conditions on its features.

Derived values are opened to what they are made of, `if`, `min`, `max` and `abs` become cases, a ratio is cleared of its
denominator, another decision becomes the conditions under which it says what is asked: all of this is exact. What
cannot be opened is left to be tried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product

from decisionflow.conditions.expression import (
    TRUE as ALWAYS,
)
from decisionflow.conditions.expression import (
    Among,
    And,
    Apply,
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
)
from decisionflow.conditions.linear import as_number
from decisionflow.conditions.operators import (
    AT_LEAST,
    AT_MOST,
    COMPARISON,
    EQUAL,
    GREATER,
    LESS,
    Comparison,
)
from decisionflow.conditions.values import MISSING, Failure
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.allowed import MEASURED
from decisionflow.explain.nearest_change.arithmetic_of_forms import arithmetic
from decisionflow.explain.nearest_change.comparing import ONE, Comparing, half_space, merged
from decisionflow.explain.nearest_change.contents import (
    ABSENT,
    BROKEN,
    UNOPENED,
    Case,
    Content,
    Known,
    Label,
    Output,
    Ratio,
)
from decisionflow.explain.nearest_change.curves import curve_of
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    Form,
    Formula,
    all_of,
    any_of,
    at_least,
    is_false,
    negation,
)
from decisionflow.program.declarations import CompanionList, Rule
from decisionflow.program.declarations import Formula as FormulaBody
from decisionflow.types import Vocabulary

MOST_CASES = 400


@dataclass(frozen=True, slots=True)
class Truths:
    """Where a condition is true, false, and an error; elsewhere it is unknown."""

    true: Formula
    false: Formula
    error: Formula = FALSE

    @property
    def unknown(self) -> Formula:
        return all_of(negation(each) for each in (self.true, self.false, self.error))


@dataclass
class Opening:
    """Opens what a policy says about a row whose missing values stay missing; `places` numbers the other features.

    Works an expression out once, however often it occurs.
    """

    row: Row
    places: Mapping[str, int]
    comparing: Comparing
    _truths: dict[int, tuple[Expression, Truths]] = field(default_factory=dict)
    _cases: dict[str, list[Case]] = field(default_factory=dict)

    def truths(self, condition: Expression) -> Truths:
        """Where a condition is true, false and an error."""
        known = self._truths.get(id(condition))
        if known is None or known[0] is not condition:
            known = condition, self._open(condition)
            self._truths[id(condition)] = known
        return known[1]

    def cases(self, expression: Expression) -> list[Case]:
        """What an expression comes to, case by case."""
        match expression:
            case Constant(value=value, type=kind):
                return [Case(TRUE, Form(constant=as_number(value)) if kind in MEASURED else Known(value))]
            case Variable():
                return self._variable(expression)
            case Choose(condition=condition, then=then, otherwise=otherwise):
                return self._choose(self.truths(condition), then, otherwise)
            case Apply():
                return self._apply(expression)
            case MakeRecord():
                return [Case(TRUE, UNOPENED)]
        found = self.truths(expression)
        return _possible(
            [
                Case(found.true, Known(True)),
                Case(found.false, Known(False)),
                Case(found.error, BROKEN),
                Case(found.unknown, ABSENT),
            ]
        )

    # Conditions

    def _open(self, condition: Expression) -> Truths:
        match condition:
            case Constant(value=value):
                return Truths(TRUE, FALSE) if value else Truths(FALSE, TRUE)
            case Not(part=part):
                found = self.truths(part)
                return Truths(found.false, found.true, found.error)
            case And(parts=parts):
                return _both(list(map(self.truths, parts)))
            case Or(parts=parts):
                return self._some_of(parts)
            case Count():
                return self._count(condition)
            case Compare(comparison=comparison, left=left, right=right):
                return self._compare(condition, comparison, left, right)
            case Within():
                return _both([self.truths(part) for part in _ends(condition)])
            case Among(value=value, choices=choices):
                return self._some_of([Compare(EQUAL, value, choice) for choice in choices])
            case IsMissing(value=value):
                return self._is_missing(value)
        return self._truth_value(condition)

    def _some_of(self, parts: Iterable[Expression]) -> Truths:
        return _turned(_both([_turned(self.truths(part)) for part in parts]))

    def _count(self, count: Count) -> Truths:
        parts = [self.truths(part) for part in count.parts]
        size, number = len(parts), count.number
        least = at_least(number, (part.true for part in parts)), at_least(size - number + 1, (p.false for p in parts))
        most = at_least(size - number, (part.false for part in parts)), at_least(number + 1, (p.true for p in parts))
        if count.quantifier == "at least":
            true, false = least
        elif count.quantifier == "at most":
            true, false = most
        else:
            true, false = all_of((least[0], most[0])), any_of((least[1], most[1]))
        broken = any_of(part.error for part in parts)
        return Truths(true, false, all_of((negation(true), negation(false), broken)) if broken is not FALSE else FALSE)

    def _is_missing(self, value: Expression) -> Truths:
        cases = self.cases(value)
        missing = any_of(case.guard for case in cases if case.content is ABSENT)
        error = any_of(case.guard for case in cases if case.content is BROKEN)
        return Truths(missing, negation(any_of((missing, error))), error)

    def _truth_value(self, condition: Expression) -> Truths:
        return self._compare(condition, EQUAL, condition, ALWAYS)

    def _compare(self, condition: Expression, comparison: Comparison, left: Expression, right: Expression) -> Truths:
        true: list[Formula] = []
        false: list[Formula] = []
        error: list[Formula] = []
        for mine, theirs in product(self.cases(left), self.cases(right)):
            guard = all_of((mine.guard, theirs.guard))
            contents = (mine.content, theirs.content)
            if BROKEN in contents:
                error.append(guard)
            elif ABSENT not in contents and not is_false(guard):
                kind = left.type if isinstance(left.type, Vocabulary) else None
                holds, fails = self.comparing.compare(comparison, *contents, condition, kind)
                true.append(all_of((guard, holds)))
                false.append(all_of((guard, negation(holds), negation(fails))))
                error.append(all_of((guard, fails)))
        return Truths(merged(true), merged(false), any_of(error))

    # Values

    def _variable(self, variable: Variable) -> list[Case]:
        name, program = variable.name, self.row.program
        if name == "today":
            return [Case(TRUE, Form(constant=as_number(self.row.settings.today)))]
        if name in program.features:
            return [Case(TRUE, self._feature(variable))]
        key = f"{name}.{variable.part}"
        if key not in self._cases:
            if name in program.derived:
                self._cases[key] = self.cases(program.derived[name].expression)
            elif name in program.models:
                self._cases[key] = self._model(name)
            else:
                self._cases[key] = self._decision(name, variable.part)
        return self._cases[key]

    def _feature(self, variable: Variable) -> Content:
        value = self.row.values[variable.name]
        if value is MISSING:
            return ABSENT
        if isinstance(value, Failure):
            return BROKEN
        place = self.places[variable.name]
        return Form({place: 1.0}) if variable.type in MEASURED else Label(place)

    def _model(self, name: str) -> list[Case]:
        broken = []
        for used, column in self.row.program.models[name].inputs:
            for case in self.cases(Variable(used, self.row.program.type_of(used))):
                refused = case.content is ABSENT and not self.row.models[name].takes_missing_in(column)
                if refused or case.content is BROKEN:
                    broken.append(case.guard)
        error = any_of(broken)
        return _possible([Case(error, BROKEN), Case(negation(error), Output(name))])

    def _choose(self, chosen: Truths, then: Expression, otherwise: Expression) -> list[Case]:
        found = [Case(chosen.error, BROKEN), Case(chosen.unknown, ABSENT)]
        for guard, branch in ((chosen.true, then), (chosen.false, otherwise)):
            if not is_false(guard):
                found += [Case(all_of((guard, case.guard)), case.content) for case in self.cases(branch)]
        return _possible(found)

    def _decision(self, name: str, part: str) -> list[Case]:
        fires = self.firings(name)
        if fires is None:
            return [Case(TRUE, UNOPENED)]
        found, error = [], any_of(guard for _, guard, problem in fires if problem)
        for rule, guard, problem in fires:
            if rule is not None and not problem and not is_false(guard):
                found += [Case(all_of((guard, case.guard)), case.content) for case in self._outcome(rule.outcome, part)]
        nothing = any_of(guard for rule, guard, problem in fires if rule is None and not problem)
        return _possible([*found, Case(error, BROKEN), Case(nothing, ABSENT)])

    def _outcome(self, outcome: Expression, part: str) -> list[Case]:
        if not part:
            return self.cases(outcome)
        if isinstance(outcome, MakeRecord):
            return self.cases(dict(outcome.parts)[part])
        if isinstance(outcome, Variable):
            return self.cases(Variable(outcome.name, dict(outcome.type.parts)[part], part=part))  # type: ignore[union-attr]
        return [Case(TRUE, UNOPENED)]

    def firings(self, name: str) -> list[tuple[Rule | None, Formula, bool]] | None:
        """Which rule decides where: (rule, where, False), (None, where nothing fires, False), (None, where, True) for
        errors; None where it cannot be said rule by rule."""
        body = self.row.program.decisions[name].body
        if isinstance(body, FormulaBody):
            return [(Rule(name, ALWAYS, body.expression), TRUE, False)]
        if not isinstance(body, CompanionList) and body.hit_policy != "first":
            return None
        if self.row.settings.stochastic and isinstance(body, CompanionList):
            return None
        found: list[tuple[Rule | None, Formula, bool]] = []
        before: Formula = TRUE
        for rule in self.rules_in_order(name):
            truth = self.truths(rule.condition)
            found.append((rule, all_of((truth.true, before)), False))
            found.append((None, all_of((truth.error, before)), True))
            before = all_of((before, negation(truth.true), negation(truth.error)))
        return [*found, (None, before, False)]

    def rules_in_order(self, name: str) -> tuple[Rule, ...]:
        """The rules that may decide the row, `otherwise` or the fall-back last."""
        decision = self.row.program.decisions[name]
        rules = self.row.rules_of(decision)
        if isinstance(decision.body, CompanionList):
            return (*rules, Rule(decision.body.fallback_name, ALWAYS, decision.body.fallback))
        return rules

    # Functions

    def _apply(self, expression: Apply) -> list[Case]:
        arguments = [self.cases(argument) for argument in expression.arguments]
        size = 1
        for cases in arguments:
            size *= len(cases)
        if size > MOST_CASES:
            return [Case(TRUE, UNOPENED)]
        found = []
        for chosen in product(*arguments):
            guard = all_of(case.guard for case in chosen)
            if not is_false(guard):
                made = self._applied(expression, [case.content for case in chosen])
                found += [Case(all_of((guard, case.guard)), case.content) for case in made]
        return _possible(found)

    def _applied(self, expression: Apply, contents: list[Content]) -> list[Case]:
        for special in (BROKEN, ABSENT, UNOPENED):
            if special in contents:
                return [Case(TRUE, special)]
        spelling = expression.function.spelling
        if all(isinstance(each, Form | Ratio) for each in contents):
            if spelling in ("min", "max") and all(isinstance(each, Form) for each in contents):
                return self._extreme(contents, LESS if spelling == "min" else GREATER)  # type: ignore[arg-type]
            if spelling == "abs" and isinstance(contents[0], Form):
                return self._extreme([contents[0], contents[0].scaled(-1)], GREATER)
            made = arithmetic(expression, contents)
            if made is not None:
                return self._divided(made) if isinstance(made, Ratio) else [Case(TRUE, made)]
        return [Case(TRUE, curve_of(expression, contents))]

    def _divided(self, ratio: Ratio) -> list[Case]:
        """A ratio; an error where its denominator is zero."""
        zero = half_space(EQUAL, ratio.bottom, ONE)
        return _possible([Case(zero, BROKEN), Case(negation(zero), ratio)])

    def _extreme(self, forms: list[Form], comparison: Comparison) -> list[Case]:
        """The smallest or largest of forms: the first that is, which none before equals or beats."""
        found = []
        weak = COMPARISON[COMPARISON[comparison.negation].mirrored]
        for at, form in enumerate(forms):
            guards = [
                half_space(comparison if other < at else weak, form.plus(rival.scaled(-1)), ONE)
                for other, rival in enumerate(forms)
                if other != at
            ]
            found.append(Case(all_of(guards), form))
        return _possible(found)


def _possible(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if not is_false(case.guard)]


def _both(parts: list[Truths]) -> Truths:
    """A conjunction: false if any part is, else an error if any is, else unknown if any is, else true."""
    broken = any_of(part.error for part in parts)
    false = merged([part.false for part in parts])
    error = FALSE if is_false(broken) else all_of((broken, *(negation(part.false) for part in parts)))
    return Truths(all_of(part.true for part in parts), false, error)


def _ends(within: Within) -> list[Expression]:
    """The comparisons that an interval stands for."""
    ends = ((within.low, AT_LEAST, GREATER), (within.high, AT_MOST, LESS))
    return [
        Compare(closed if end.closed else open_, within.value, end.value)
        for end, closed, open_ in ends
        if end is not None
    ]


def _turned(found: Truths) -> Truths:
    return Truths(found.false, found.true, found.error)
