"""Tree to canonical text."""

from __future__ import annotations

from decisionflow.syntax import tree
from decisionflow.syntax.layout import layout


def write(file: tree.File) -> str:
    """The canonical text of a policy, without its comments: parsed, it gives the same tree, places aside."""
    return "".join(("\n" if line.gap else "") + f"{line}\n" for line in layout(file.declarations))
