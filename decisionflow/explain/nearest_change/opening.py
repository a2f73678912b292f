"""Opens expressions and conditions of a policy down to conditions on its features.

Derived values are opened to what they are made of, `if`, `min`, `max` and `abs` become cases, a ratio is cleared of its
denominator, another decision becomes the conditions under which it says what is asked: all of this is exact. What
cannot be opened is left to be tried out.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    EQUAL,
    GREATER,
    LESS,
    Comparison,
)
from decisionflow.conditions.values import MISSING, Failure
from decisionflow.evaluate.interpreter import Row
from decisionflow.explain.allowed import MEASURED
from decisionflow.explain.nearest_change.comparing import Comparing
from decisionflow.explain.nearest_change.contents import (
    ABSENT,
    BROKEN,
    UNOPENED,
    Case,
    Content,
    Known,
    Label,
    Output,
    possible,
)
from decisionflow.explain.nearest_change.enumerated import enumerated
from decisionflow.explain.nearest_change.firings import firings
from decisionflow.explain.nearest_change.formula import (
    FALSE,
    TRUE,
    Form,
    Formula,
    Tried,
    all_of,
    any_of,
    is_false,
    literals,
    negation,
)
from decisionflow.explain.nearest_change.functions import applied
from decisionflow.explain.nearest_change.truths import Truths, all_true, counted, merged, some_true, tried_out, turned
from decisionflow.types import Vocabulary

MOST_CASES = 400


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
        return possible(
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
                return turned(self.truths(part))
            case And(parts=parts):
                return all_true(list(map(self.truths, parts)))
            case Or(parts=parts):
                return some_true(list(map(self.truths, parts)))
            case Count():
                return counted(condition.quantifier, condition.number, list(map(self.truths, condition.parts)))
            case Compare(comparison=comparison, left=left, right=right):
                return self._compare(condition, comparison, left, right)
            case Within():
                return all_true([self.truths(part) for part in _ends(condition)])
            case Among(value=value, choices=choices):
                return some_true([self.truths(Compare(EQUAL, value, choice)) for choice in choices])
            case IsMissing():
                return self._is_missing(condition)
        return self._truth_value(condition)

    def _is_missing(self, condition: IsMissing) -> Truths:
        cases = self.cases(condition.value)
        missing = any_of(case.guard for case in cases if case.content is ABSENT)
        error = any_of(case.guard for case in cases if case.content is BROKEN)
        unopened = any_of(case.guard for case in cases if case.content is UNOPENED)
        if is_false(unopened):
            return Truths(missing, negation(any_of((missing, error))), error)
        tried = tried_out(condition)
        return Truths(
            any_of((missing, all_of((unopened, tried.true)))),
            any_of((negation(any_of((missing, error, unopened))), all_of((unopened, tried.false)))),
            any_of((error, all_of((unopened, tried.error)))),
        )

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
                found = self.comparing.compare(comparison, *contents, condition, kind)
                true.append(all_of((guard, found.true)))
                false.append(all_of((guard, found.false)))
                error.append(all_of((guard, found.error)))
        opened = Truths(merged(true), merged(false), any_of(error))
        return self._enumerated(condition, opened) or opened

    def _enumerated(self, condition: Expression, opened: Truths) -> Truths | None:
        """The same at each value of its only feature, where it could not be opened; None where that is no way."""
        if not any(isinstance(literal, Tried) for literal in literals(opened.true)):
            return None
        program = self.row.program
        read = set(program.features_of(program.names_in(condition) - {"today"})).intersection(self.places)
        if len(read) != 1:
            return None
        (name,) = read
        return enumerated(self.row, condition, program.features[name], self.places[name])

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
        return possible([Case(error, BROKEN), Case(negation(error), Output(name))])

    def _choose(self, chosen: Truths, then: Expression, otherwise: Expression) -> list[Case]:
        found = [Case(chosen.error, BROKEN), Case(chosen.unknown, ABSENT)]
        for guard, branch in ((chosen.true, then), (chosen.false, otherwise)):
            if not is_false(guard):
                found += [Case(all_of((guard, case.guard)), case.content) for case in self.cases(branch)]
        return possible(found)

    def _decision(self, name: str, part: str) -> list[Case]:
        fires = firings(self, self.row.program.decisions[name])
        if fires is None:
            return [Case(TRUE, UNOPENED)]
        found = []
        for firing in fires:
            if firing.outcome is None:
                found.append(Case(firing.where, BROKEN if firing.broken else ABSENT))
            else:
                outcome = self._outcome(firing.outcome, part)
                found += [Case(all_of((firing.where, case.guard)), case.content) for case in outcome]
        return possible(found)

    def _outcome(self, outcome: Expression, part: str) -> list[Case]:
        if not part:
            return self.cases(outcome)
        if isinstance(outcome, MakeRecord):
            return self._part(dict(outcome.parts), part)
        if isinstance(outcome, Variable):
            return self.cases(Variable(outcome.name, dict(outcome.type.parts)[part], part=part))  # type: ignore[union-attr]
        return [Case(TRUE, UNOPENED)]

    def _part(self, parts: Mapping[str, Expression], part: str) -> list[Case]:
        """A part of a record, which is missing or an error as a whole where another part is."""
        others = [self.truths(IsMissing(other)) for name, other in parts.items() if name != part]
        error = any_of(other.error for other in others)
        missing = all_of((negation(error), any_of(other.true for other in others)))
        known = all_of(other.false for other in others)
        found = [Case(all_of((known, case.guard)), case.content) for case in self.cases(parts[part])]
        return possible([*found, Case(error, BROKEN), Case(missing, ABSENT)])

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
                made = applied(expression, [case.content for case in chosen], self.comparing)
                found += [Case(all_of((guard, case.guard)), case.content) for case in made]
        return possible(found)


def _ends(within: Within) -> list[Expression]:
    """The comparisons that an interval stands for."""
    ends = ((within.low, AT_LEAST, GREATER), (within.high, AT_MOST, LESS))
    return [
        Compare(closed if end.closed else open_, within.value, end.value)
        for end, closed, open_ in ends
        if end is not None
    ]
