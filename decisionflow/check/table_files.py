from __future__ import annotations

from decisionflow.check.files import Files
from decisionflow.check.scope import Context
from decisionflow.check.wanted import Wanted
from decisionflow.syntax import tree


def table_from_file(
    node: tree.Decision, body: tree.TableFrom, wanted: Wanted | None, context: Context, files: Files
) -> tree.Table | None:
    return None
