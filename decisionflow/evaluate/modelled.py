"""What a model has to run for."""

from __future__ import annotations

from collections.abc import Collection

from decisionflow.program.program import Program


def modelled_names(program: Program, fixed: Collection[str] = ()) -> frozenset[str]:
    """The models, and every name that one of them stands behind, those left out whose value is `fixed`.

    A decision is none of them: what it needs it asks for itself.
    """
    found = set(program.models) - set(fixed)
    for name in program.order:
        passed_on = name not in program.decisions and name not in fixed
        if passed_on and any(used in found for used in program.reads[name]):
            found.add(name)
    return frozenset(found)
