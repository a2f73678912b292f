"""From a policy's text to a policy with its models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from decisionflow.api.policy import Policy
from decisionflow.check.models import complete_models
from decisionflow.check.policy_file import PolicySource, check_policy_file, check_policy_text
from decisionflow.diagnostics import did_you_mean
from decisionflow.errors import PolicyError, UnknownModelError
from decisionflow.program.program import Program
from decisionflow.syntax.limits import LIMITS, Limits

AllowedPaths = Sequence[str | Path]


def load_policy(
    path: str | Path,
    models: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    allow_paths: AllowedPaths = (),
    limits: Limits = LIMITS,
) -> Policy:
    """Load a policy file with the models that it names.

    `models` binds models by name: a fitted estimator, a `Model`, a callable from a DataFrame to a column, or a URI; it
    comes before the policy's own `from`. `parameters` sets parameters anew. Files that the policy names lie in its own
    folder or in one of `allow_paths`. Raises PolicyError with every error of the policy, ModelError for a model that
    cannot be loaded or does not offer what the policy reads.
    """
    path, allowed = Path(path), tuple(Path(item) for item in allow_paths)
    source = check_policy_file(path, allowed, parameters, limits)
    return _policy(source, path.resolve().parent, allowed, models or {})


def parse_policy(
    text: str,
    models: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    folder: str | Path | None = None,
    allow_paths: AllowedPaths = (),
    limits: Limits = LIMITS,
) -> Policy:
    """As `load_policy`, from a policy's text; files that it names are looked for in `folder`."""
    allowed = tuple(Path(item) for item in allow_paths)
    place = None if folder is None else Path(folder)
    source = check_policy_text(text, folder=place, allowed=allowed, parameters=parameters, limits=limits)
    return _policy(source, place, allowed, models or {})


def _policy(source: PolicySource, folder: Path | None, allowed: Sequence[Path], given: Mapping[str, Any]) -> Policy:
    if source.program is None or source.tree is None:
        raise PolicyError([found for found in source.diagnostics if found.severity == "error"])
    program = replace(source.program, fingerprint=source.fingerprint())
    bound = _bind(program, folder, allowed, given)
    stored = {name: found.inputs for name, found in bound.items() if found.inputs is not None}
    completed = complete_models(program, stored)
    if completed.program is None:
        raise PolicyError(completed.diagnostics)
    return Policy(completed.program, source.tree, source.diagnostics, bound, folder, tuple(allowed))


def _bind(program: Program, folder: Path | None, allowed: Sequence[Path], given: Mapping[str, Any]) -> dict[str, Any]:
    """The models that are given or named by the policy; each offers the output that the policy reads."""
    for name in given:
        if name not in program.models:
            hint = did_you_mean(name, program.models)
            raise UnknownModelError(f"the policy declares no model `{name}`" + (f"; {hint}" if hint else ""))
    wanted = {name: given.get(name, node.uri) for name, node in program.models.items()}
    if all(value is None for value in wanted.values()):
        return {}
    from decisionflow.models.binding import bind

    bound = {}
    for name, value in wanted.items():
        if value is not None:
            bound[name] = bind(name, value, folder, allowed).named(name)
            bound[name].require(program.models[name].output)
    return bound
