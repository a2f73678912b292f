"""A failing and a mended example for every code of a check."""

from decisionflow.check.explanations.declarations import DECLARATIONS
from decisionflow.check.explanations.files import FILES
from decisionflow.check.explanations.lints import LINTED
from decisionflow.check.explanations.names import NAMES
from decisionflow.check.explanations.reasons import REASONS
from decisionflow.check.explanations.tables import TABLES
from decisionflow.check.explanations.types import TYPES

EXPLANATIONS = (*NAMES, *TYPES, *DECLARATIONS, *REASONS, *TABLES, *FILES, *LINTED)
