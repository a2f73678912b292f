"""Large policies check without recursion, and a check loads nothing heavy."""

from __future__ import annotations

import subprocess
import sys

from decisionflow.check.cycles import Edge, cycles

from .policies import codes, program_of

HEAVY = ("numpy", "pandas", "sklearn", "scipy", "pyarrow", "openpyxl", "networkx", "lark", "shap", "z3")


def test_a_chain_of_5000_derived_values() -> None:
    links = "".join(f"derived v{number} = v{number - 1} + 1\n" for number in range(1, 5001))
    program = program_of(f"feature x : integer\nderived v0 = x\n{links}")
    assert program.order[-1] == "v5000"


def test_a_chain_written_backwards() -> None:
    links = "".join(f"derived v{number} = v{number - 1} + 1\n" for number in range(2000, 0, -1))
    assert len(program_of(f"feature x : integer\n{links}derived v0 = x").derived) == 2001


def test_a_cycle_of_3000_names() -> None:
    links = "".join(f"derived v{number} = v{(number + 1) % 3000}\n" for number in range(3000))
    assert codes(links) == ["DF0207"]


def test_a_long_sum_and_deep_parentheses() -> None:
    assert codes("feature x : number\nderived y = " + " + ".join(["x"] * 190)) == []
    assert codes("feature x : number\nderived y = " + "(" * 150 + "x" + ")" * 150) == []


def test_cycles_have_no_name_in_common_and_are_shortest() -> None:
    edges = [Edge(*pair) for pair in ("ab", "bc", "ca", "ac", "de", "ed", "fa")]
    found = [[edge.reader for edge in path] for path in cycles(edges, list("abcdef"))]
    assert found == [["a", "c"], ["d", "e"]]


def test_checking_and_linting_load_nothing_heavy() -> None:
    text = "policy demo\\nfeature x : number\\ndecision d : boolean\\n  rule a: if x > 3 then true\\n"
    script = f"""
import sys
from decisionflow.check.checker import check_files
from decisionflow.check.lints.lint import lint_program
from decisionflow.source import Source
from decisionflow.syntax.parse import parse
print(len(lint_program(check_files(parse(Source("demo", "{text}"))).program)))
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert found.stdout.split("\n")[:2] == ["1", "[]"]
