"""The text of a branch-free kernel: one loop over the rows that decides each without jumping.

Columns are read as `kernel_columns` has them, what is missing standing in the values; computed values are the same, but
for labels, which are int32. Conditions are joined with `&` and `|`, rules folded backwards, so that the compiler can
decide several rows at once. What would be an error marks the row, which the evaluator then decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from decisionflow.conditions.expression import (
    Constant,
    Expression,
)
from decisionflow.evaluate.combining import as_type, outside
from decisionflow.evaluate.kernel_text import (
    Token,
    Unsupported,
    nothing,
    outside_text,
    storage_class,
)
from decisionflow.evaluate.kernel_writer import KernelWriter
from decisionflow.program.declarations import CompanionList, Decision, Formula, RuleList
from decisionflow.program.program import Program
from decisionflow.types import DATE, NUMBER


@dataclass(frozen=True)
class KernelSource:
    """The kernel's text; `columns` are the features it reads, `computed` the decisions whose values it writes.

    Arguments: the number of rows, the day of `today`, where rows are given up from the start, the columns, masks of the
    `masked` ones, an array of hits for each decision, one of values for each computed one. A hit is the place of the
    rule that fired, the number of rules where none did, and `SLOW` where the evaluator has to decide; `H0` to the last
    of the `hits` name them.
    """

    text: str
    columns: tuple[str, ...]
    decisions: tuple[str, ...]
    computed: tuple[str, ...]
    atoms: int
    hits: int
    masked: tuple[str, ...]


MOST_JOINED = 100
"""Errors asked for in one expression: Python reads a row of `|` as nested, and nests only so deep."""


class _Writer(KernelWriter):
    """Writes the kernel of some decisions."""

    def write(self, decisions: tuple[str, ...]) -> KernelSource:
        """The kernel that makes these decisions; raises Unsupported."""
        behind = set(decisions).union(*(self.program.ancestors(name) for name in decisions))
        self.names["today"] = Token("today", DATE, False)
        columns = tuple(name for name in self.program.features if name in behind)
        self.errors.append(f"(given_up[{self.at}] != 0)")
        for place, name in enumerate(columns):
            self.load(name, place)
        if self.unbounded:
            self.infinite()
        made = tuple(name for name in self.program.order if name in behind and name in self.program.decisions)
        for name in self.program.order:
            if name in behind and name not in columns:
                self.compute(name)
        self.emit(f"bad = {' | '.join(self.errors[:MOST_JOINED]) or 'False'}")
        for start in range(MOST_JOINED, len(self.errors), MOST_JOINED):
            self.emit(f"bad = bad | {' | '.join(self.errors[start : start + MOST_JOINED])}")
        for place in range(len(made)):
            self.write_hits(place)
        for place, name in enumerate(self.computed):
            self.emit(f"values{place}[{self.at}] = {self.names[name].text}")
        arguments = [
            *(f"x{place}" for place in range(len(columns))),
            *(f"m{place}" for place in range(len(self.masked))),
            *(f"hits{place}" for place in range(len(made))),
            *(f"values{place}" for place in range(len(self.computed))),
        ]
        head = [
            f"def kernel(rows, today, given_up, {', '.join(arguments)}):",
            "    if True:" if self.whole else "    for i in range(rows):",
        ]
        text = "\n".join([*head, *self.lines]) + "\n"
        atoms = len(self.truths) + len(self.values)
        return KernelSource(text, columns, made, tuple(self.computed), atoms, self.hits, tuple(self.masked))

    def compute(self, name: str) -> None:
        if name in self.program.models:
            raise Unsupported
        if name in self.program.derived:
            self.names[name] = self.value(self.program.derived[name].expression)
        else:
            self.decide(self.program.decisions[name])

    def infinite(self) -> None:
        """Where the largest magnitude that was read is infinite; NaN, which is larger than nothing, is passed over."""
        if self.whole:
            self.errors += [f"(abs({read}) == np.inf)" for read in self.unbounded]
            return
        name = self.fresh()
        self.emit(f"{name} = 0.0")
        for read in self.unbounded:
            self.emit(f"{name} = abs({read}) if abs({read}) > {name} else {name}")
        self.errors.append(f"({name} == np.inf)")

    # Decisions

    def hit(self, place: int) -> str:
        """The name of a hit as a constant: one of the narrow kind is chosen between faster than a Python integer."""
        self.hits = max(self.hits, place)
        return f"H{place}"

    def write_hits(self, place: int) -> None:
        """The place of the rule that fired, or the sign of a row that is given up."""
        self.emit(f"hits{place}[{self.at}] = {self.select('bad', 'SLOW', f'h{place}')}")

    def decide(self, decision: Decision) -> None:
        body, hit = decision.body, f"h{self.decided}"
        self.decided += 1
        if isinstance(body, RuleList) and body.hit_policy != "first":
            raise Unsupported
        outcomes = _outcomes(decision)
        tokens = [self.typed(outcome, decision.type) for _, outcome in outcomes]
        conditions = ["True" if condition is None else self.truth(condition, True) for condition, _ in outcomes]
        is_constant = all(isinstance(outcome, Constant) for _, outcome in outcomes)
        self.fold(hit, "hit", self.hit(len(outcomes)), [(each, self.hit(rule)) for rule, each in enumerate(conditions)])
        value = self.fresh()
        read = any(decision.name in names for names in self.program.reads.values())
        if read or not is_constant:
            chosen = [(condition, token.text) for condition, token in zip(conditions, tokens, strict=True)]
            self.fold(value, storage_class(decision.type), nothing(decision.type), chosen)
        self.check(decision, hit, value, tokens, outcomes)
        if not is_constant:
            self.computed.append(decision.name)
        self.names[decision.name] = Token(value, decision.type, True)

    def check(
        self, decision: Decision, hit: str, value: str, tokens: list[Token], outcomes: list[tuple[Any, Expression]]
    ) -> None:
        """Rows whose outcome is missing or outside the domain are left to the evaluator."""
        for rule, (token, (_, outcome)) in enumerate(zip(tokens, outcomes, strict=True)):
            if isinstance(outcome, Constant):
                if outside(decision, as_type(outcome.value, decision.type)):
                    self.errors.append(f"({hit} == {rule})")
            elif token.nullable:
                self.errors.append(f"(({hit} == {rule}) & {Token(value, decision.type, True).is_missing})")
        computed = any(not isinstance(outcome, Constant) for _, outcome in outcomes)
        if computed and decision.domain is not None:
            token = Token(value, decision.type, True)
            self.errors.append(
                f"({token.is_known} & {outside_text(decision.domain, decision.type, value, decision.type == NUMBER)})"
            )


def kernel_source(
    program: Program, decisions: tuple[str, ...], whole: bool = False, gaps: bool = False
) -> KernelSource | None:
    """The kernel of some decisions, as a loop or on whole arrays; None where it cannot express them."""
    try:
        return _Writer(program, whole, gaps).write(decisions)
    except Unsupported:
        return None


def _outcomes(decision: Decision) -> list[tuple[Expression | None, Expression]]:
    """Conditions with outcomes, in order; what always answers has no condition."""
    body = decision.body
    if isinstance(body, Formula):
        return [(None, body.expression)]
    found: list[tuple[Expression | None, Expression]] = [(rule.condition, rule.outcome) for rule in body.rules]
    if isinstance(body, CompanionList):
        return [*found, (None, body.fallback)]
    return found if body.otherwise is None else [*found, (None, body.otherwise.outcome)]
