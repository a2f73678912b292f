"""The functions that a kernel can express; what would be an error is noted, so that the row is given up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from decisionflow.conditions.arithmetic import NOTHING_WITHIN
from decisionflow.evaluate.kernel_text import Token, Unsupported, joined
from decisionflow.types import INTEGER, NUMBER, Type

if TYPE_CHECKING:
    from decisionflow.evaluate.kernel_writer import KernelWriter

_HALF_RANGE = 2**62 - 1
_ROOT_RANGE = 2**31


def _real(text: str, error: str = "") -> Any:
    """A function of numbers: a result that is not finite is an error; NaN stands for missing and passes through."""

    def write(writer: KernelWriter, tokens: list[Token]) -> Token:
        names = [token.text for token in tokens]
        made = writer.assign(text.format(*names), NUMBER, any(token.nullable for token in tokens))
        writer.errors.append(f"(abs({made.text}) == np.inf)")
        if error:
            writer.errors.append(error.format(*names))
        return made

    return write


def _sum(sign: str) -> Any:
    def write(writer: KernelWriter, tokens: list[Token]) -> Token:
        left, right = (token.text for token in tokens)
        nullable = any(token.nullable for token in tokens)
        total = writer.assign(f"{left} {sign} {right}", NUMBER, nullable)
        writer.errors.append(f"(abs({total.text}) == np.inf)")
        lost = f"abs({total.text}) < {NOTHING_WITHIN!r} * np.maximum(abs({left}), abs({right}))"
        return writer.assign(writer.select(lost, "0.0", total.text), NUMBER, nullable)

    return write


def _whole(text: str, limit: int) -> Any:
    """A function of two integers; large ones are left to the evaluator, also where the policy writes one."""

    def write(writer: KernelWriter, tokens: list[Token]) -> Token:
        names = [token.text for token in tokens]
        known = [token for token in tokens if token.nullable]
        made = text.format(*names)
        for token in tokens:
            if token.value is not None and abs(token.value) > limit:
                raise Unsupported
            large = f"(abs({token.text}) > {limit})"
            writer.errors.append(joined([large, token.is_known] if token.nullable else [large], True))
        if not known:
            return writer.assign(made, INTEGER, False)
        missing = joined([token.is_missing for token in known], False)
        return writer.assign(writer.select(missing, "NOTHING", made), INTEGER, True)

    return write


FUNCTIONS: dict[tuple[str, str, Type], Any] = {
    ("+", "infix", NUMBER): _sum("+"),
    ("-", "infix", NUMBER): _sum("-"),
    ("*", "infix", NUMBER): _real("{0} * {1}"),
    ("/", "infix", NUMBER): _real("{0} / {1}", "({1} == 0.0)"),
    ("-", "prefix", NUMBER): _real("-{0}"),
    ("abs", "call", NUMBER): _real("abs({0})"),
    ("sqrt", "call", NUMBER): _real("np.sqrt({0})", "({0} < 0.0)"),
    ("+", "infix", INTEGER): _whole("{0} + {1}", _HALF_RANGE),
    ("-", "infix", INTEGER): _whole("{0} - {1}", _HALF_RANGE),
    ("*", "infix", INTEGER): _whole("{0} * {1}", _ROOT_RANGE),
}
