"""What learners raise: decisionflow's errors that scikit-learn's callers catch as ValueError too."""

from __future__ import annotations

from decisionflow.errors import DataError, DecisionFlowError


class LearningDataError(DataError, ValueError):
    """The training or prediction data cannot be used as they are."""


class SettingError(DecisionFlowError, ValueError):
    """A learner's setting is out of range, or contradicts another one."""
