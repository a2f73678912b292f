"""How an explanation is put together."""

from __future__ import annotations

from decisionflow.diagnostics import Explanation

PRELUDE = """policy demo
feature age : integer [18 .. 120]
feature income : number >= 0
feature employment : { employed, student, retired }
"""


def explained(code: str, title: str, failing: str, mended: str, before: str = PRELUDE) -> Explanation:
    """An explanation whose two examples begin alike."""
    return Explanation(code, title, before + failing.strip("\n") + "\n", before + mended.strip("\n") + "\n")
