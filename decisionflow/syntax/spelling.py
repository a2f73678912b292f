"""How names, labels, texts and numbers are spelled in a policy."""

from __future__ import annotations

import re
from decimal import Decimal

from decisionflow.syntax import tree
from decisionflow.syntax.tokens import EFFECTS, RESERVED, TEXT_OPERATORS

_PLAIN = re.compile(r"[^\W\d][\w\u0300-\u036f]*")


def is_plain(word: str) -> bool:
    """Whether a word can stand by itself: a letter or `_`, then letters, digits, `_`, and not reserved."""
    return _PLAIN.fullmatch(word) is not None and word.lower() not in RESERVED


def quoted(text: str) -> str:
    """A text in its quotes."""
    return '"' + text.replace('"', '""') + '"'


def backquoted(name: str) -> str:
    """A name in its backquotes."""
    return "`" + name.replace("`", "``") + "`"


def declared_name(name: str) -> str:
    """A name where one is declared: backquotes only where it needs them."""
    return name if is_plain(name) else backquoted(name)


def name_text(node: tree.Name) -> str:
    """A name where it is used: its backquotes stay, for a bare word may be a label."""
    return backquoted(node.name) if node.backquoted or not is_plain(node.name) else node.name


def label_text(label: str) -> str:
    """A label of a vocabulary: quotes only where it needs them."""
    return label if is_plain(label) else quoted(label)


def code_text(code: str) -> str:
    """A reason's code, bare where that reads back as one."""
    return code if is_plain(code) and code.lower() not in TEXT_OPERATORS | EFFECTS else quoted(code)


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number, of the same type, without its sign."""
    if isinstance(value, int):
        return str(abs(value))
    text = repr(abs(value)).replace("e+", "e")
    if "e" not in text:
        return text
    plain = format(Decimal(text), "f")
    return plain if len(plain) <= len(text) + 2 and "." in plain else text
