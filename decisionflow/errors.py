"""The exceptions that callers catch."""

from __future__ import annotations

from collections.abc import Sequence

from decisionflow.diagnostics import Diagnostic


class DecisionFlowError(Exception):
    """Whatever decisionflow raises on purpose."""


class PolicyError(DecisionFlowError):
    """A policy cannot be loaded; `diagnostics` holds every error that was found."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n\n".join(str(diagnostic) for diagnostic in self.diagnostics))


class DataError(DecisionFlowError):
    """The data as a whole cannot be read; a single bad value is never an exception."""


class UnknownNameError(DataError):
    """A row, rule, decision, outcome or model is asked for that does not exist."""


class UnwritableError(DataError):
    """A file is named as output where none can be."""


class ModelError(DecisionFlowError):
    """A model cannot be loaded or run."""


class UntrustedModelError(ModelError):
    """A model file would run code, or holds types, that the user has not allowed."""


class UnknownModelError(ModelError, UnknownNameError):
    """A model is given that the policy does not declare."""


class MissingExtraError(DecisionFlowError):
    """What is asked for needs a package that is not installed; the message says how to install it."""


class InfeasibleError(DecisionFlowError):
    """A learner has proved that no rule list meets the constraint asked for."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"infeasible: {reason}")
