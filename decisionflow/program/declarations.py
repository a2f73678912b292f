"""The checked policy: frozen declarations whose expressions are typed and whose names are resolved."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from decisionflow.conditions.arithmetic import equal
from decisionflow.conditions.expression import TRUE, Expression
from decisionflow.conditions.values import Value
from decisionflow.frozen import frozen
from decisionflow.source import Span
from decisionflow.types import INTEGER, ListOf, ModelOutput, Type

HitPolicyName = Literal["first", "unique", "any", "priority", "collect"]
Aggregation = Literal["", "list", "sum", "min", "max", "count"]


@frozen
class Domain:
    """The values that are allowed, from low to high; an absent end is None. Values are of the declared type."""

    low: Value = None
    high: Value = None
    low_closed: bool = True
    high_closed: bool = True

    def contains(self, value: Value, computed: bool = False) -> bool:
        """Whether a known value lies in the domain; a computed number compares with the tolerance of law 1."""
        tolerant = computed and isinstance(value, float)
        above = self.low is None or _beyond(value, self.low, value > self.low, self.low_closed, tolerant)
        below = self.high is None or _beyond(value, self.high, value < self.high, self.high_closed, tolerant)
        return above and below

    @property
    def width(self) -> float | None:
        """High minus low of a numeric domain, None where an end is open to infinity."""
        return None if self.low is None or self.high is None else float(self.high - self.low)

    def __str__(self) -> str:
        low, high = _shown(self.low), _shown(self.high)
        if self.high is None:
            return f"{'>=' if self.low_closed else '>'} {low}"
        if self.low is None:
            return f"{'<=' if self.high_closed else '<'} {high}"
        return f"{'[' if self.low_closed else '('}{low} .. {high}{']' if self.high_closed else ')'}"


PROBABILITIES = Domain(0.0, 1.0)


def _beyond(value: Value, end: Value, past: bool, closed: bool, tolerant: bool) -> bool:
    same = equal(value, end, True) if tolerant else value == end
    return closed if same else past


@frozen
class Reading:
    """How a feature's values are read: the column's header, what loosens a label, the zone of local times."""

    column: str
    trim: bool = False
    any_case: bool = False
    others: str | None = None
    zone: str | None = None


@frozen
class Change:
    """What an advice to the customer may change of a feature."""

    immutable: bool = False
    may_increase: bool = True
    may_decrease: bool = True
    step: Value = None


@frozen
class Feature:
    """One column that the policy reads.

    `optional` may be missing; `default` stands for a missing value; neither: a missing value is invalid. `kept`
    characters of a sensitive value may be shown.
    """

    name: str
    type: Type
    reading: Reading
    domain: Domain | None = None
    optional: bool = False
    default: Value = None
    change: Change = Change()
    sensitive: bool = False
    kept: int = 0
    description: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Parameter:
    """A business constant; `value` is a tuple where it is a set, `type` then the type of its members."""

    name: str
    value: Value
    type: Type
    is_set: bool = False
    domain: Domain | None = None
    description: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Derived:
    """A value computed from others."""

    name: str
    expression: Expression
    description: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def type(self) -> Type:
        return self.expression.type


@frozen
class ModelDeclaration:
    """A model that the policy runs: which output, of what type, fed by which names under which columns.

    `inputs` pairs a name of the policy with the column that the model knows it by; empty where the policy does not say,
    then the model's own input names are names of the policy, resolved when it is bound.
    """

    name: str
    type: Type
    output: ModelOutput
    uri: str | None = None
    inputs: tuple[tuple[str, str], ...] = ()
    domain: Domain | None = None
    description: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)


@frozen
class Reason:
    """A code and a text that the customer may be told."""

    code: str
    text: str


@frozen
class FeatureReason:
    """What the customer is told where a feature speaks for an adverse outcome: by being high, or by being low.

    A feature whose values have no order has a reason that `raises` only: whatever its value is.
    """

    feature: str
    effect: Literal["raises", "lowers"]
    reason: Reason


@frozen
class Rule:
    """A condition, its outcome, and what was written about it; `stats` are shares as learning measured them."""

    name: str
    condition: Expression
    outcome: Expression
    reason: Reason | None = None
    stats: tuple[tuple[str, float], ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)

    @property
    def coverage(self) -> float | None:
        """The share of rows that this rule takes after those before it, where it is known."""
        return dict(self.stats).get("coverage")


@frozen
class RuleList:
    """Rules under a hit policy; an `otherwise` is a rule of that name whose condition is true."""

    rules: tuple[Rule, ...]
    otherwise: Rule | None = None
    hit_policy: HitPolicyName = "first"
    aggregation: Aggregation = ""
    is_table: bool = False


@frozen
class CompanionList:
    """An ordered rule list beside a fall-back; `fallback_name` is what the fall-back is called in results."""

    rules: tuple[Rule, ...]
    fallback: Expression
    fallback_name: str


@frozen
class Formula:
    """A decision that is the value of an expression."""

    expression: Expression


Body = RuleList | CompanionList | Formula


@frozen
class Decision:
    """What the policy decides.

    `type` is the type of one outcome. A decision that collects a list, a count or a sum holds `held`. Domains of a
    record's parts stand in `part_domains`. An `adverse` outcome gives the customer at most `most_reasons` reasons, None
    where the policy does not say.
    """

    name: str
    type: Type
    body: Body
    domain: Domain | None = None
    part_domains: tuple[tuple[str, Domain], ...] = ()
    best_first: bool | None = None
    adverse: tuple[str, ...] = ()
    description: str = ""
    span: Span | None = field(default=None, compare=False, repr=False)
    most_reasons: int | None = None

    @property
    def held(self) -> Type:
        """The type that others read: a list or a count for a decision that collects one, else the outcome's."""
        aggregation = self.body.aggregation if isinstance(self.body, RuleList) else ""
        return ListOf(self.type) if aggregation == "list" else INTEGER if aggregation == "count" else self.type

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules in order, `otherwise` last; none for a formula."""
        if isinstance(self.body, RuleList):
            return self.body.rules + ((self.body.otherwise,) if self.body.otherwise else ())
        return self.body.rules if isinstance(self.body, CompanionList) else ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """Every expression of the decision, in order."""
        own = tuple(part for rule in self.rules for part in (rule.condition, rule.outcome))
        if isinstance(self.body, CompanionList):
            return (*own, self.body.fallback)
        return (*own, self.body.expression) if isinstance(self.body, Formula) else own


def always(name: str, outcome: Expression, reason: Reason | None = None, span: Span | None = None) -> Rule:
    """A rule that every row meets: an `otherwise`."""
    return Rule(name, TRUE, outcome, reason, span=span)


def _shown(value: Value) -> str:
    """A value without the `.0` of a whole number."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)


Node = Feature | Derived | ModelDeclaration | Decision
