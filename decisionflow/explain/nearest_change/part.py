"""The method `change`: the nearest change of a row, by the JSON contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from decisionflow.conditions.values import Value
from decisionflow.evaluate.interpreter import Row
from decisionflow.evaluate.masked import masked_value
from decisionflow.explain.contract import plain
from decisionflow.explain.nearest_change.answer import Answer, Proposal
from decisionflow.explain.nearest_change.asking import nearest_change
from decisionflow.explain.nearest_change.deciding import Deciding
from decisionflow.explain.nearest_change.space import Costs, items_of
from decisionflow.explain.nearest_change.wanted import Wanted

if TYPE_CHECKING:
    from decisionflow.explain.explainers import Asked


def change_part(asked: Asked) -> dict[str, Any]:
    """What would change the decision: see `nearest_change`, and EXPLAIN's contract for the keys."""
    row, options = asked.row, asked.options.change
    decision = row.program.decisions[asked.question.decision]
    wanted = wanted_outcome(asked)
    items = items_of(row, decision.name, Costs(options.weights, asked.smace.background))
    answer = nearest_change(Deciding(row, decision, wanted, asked.models), items, options, asked.smace.background)
    return contract(row, wanted, answer)


def wanted_outcome(asked: Asked) -> Wanted:
    """The outcome that was expected; not given, any other than the present one."""
    if asked.question.why_not is not None:
        return Wanted(asked.question.why_not)
    return Wanted(asked.explanation.outcome.value, other=True)


def contract(row: Row, wanted: Wanted, answer: Answer) -> dict[str, Any]:
    """The answer as JSON has it; `at_most` stands there where the number of features that may change forbids one."""
    best = answer.proposals[0] if answer.proposals else None
    return {
        "to": plain(_to(wanted, best)),
        "status": answer.status,
        "cost": None if best is None else best.cost,
        "bound": answer.bound,
        "because": list(answer.because) or None,
        "changes": [] if best is None else _changes(row, best),
        "decided": None if best is None else _decided(best),
        "others": [
            {"cost": other.cost, "changes": _changes(row, other), "decided": _decided(other)}
            for other in answer.proposals[1:]
        ],
    } | ({} if answer.at_most is None else {"at_most": answer.at_most})


def _to(wanted: Wanted, best: Proposal | None) -> Value:
    if not wanted.other:
        return wanted.value
    return None if best is None else best.decided.value


def _changes(row: Row, proposal: Proposal) -> list[dict[str, Any]]:
    return [
        {"feature": name, "from": plain(masked_value(row.program, name, row.features[name])), "to": plain(value)}
        for name, value in proposal.values.items()
    ]


def _decided(proposal: Proposal) -> dict[str, Any]:
    return {"value": plain(proposal.decided.value), "rule": proposal.decided.rule}
