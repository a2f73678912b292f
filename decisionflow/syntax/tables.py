"""LALR(1) tables: built from the grammar by lark, kept as JSON, read without lark.

Building takes most of a second, reading a few milliseconds; that is why they are kept beside the grammar.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import field
from typing import Any

from decisionflow.frozen import frozen

STARTS = ("start", "expression", "cell")
END = "$END"


@frozen
class Production:
    """One rule of the grammar: what is kept of its symbols when they have been read, and the node it makes.

    `kept` holds for each child its place among the symbols and whether it is a list to be opened; a place of -1 is an
    optional part that is not written. `passes` holds for a rule that hands on an only child.
    """

    origin: str
    action: str
    length: int
    kept: tuple[tuple[int, bool], ...]
    passes: bool
    is_list: bool = field(init=False)
    is_unit: bool = field(init=False)

    def __post_init__(self) -> None:
        """Tell what only gathers repeated parts, and what only hands on its one symbol."""
        object.__setattr__(self, "is_list", self.origin.startswith("_"))
        object.__setattr__(self, "is_unit", self.passes and self.length == 1 and len(self.kept) == 1)


@frozen
class Tables:
    """What the automaton does: each state maps a terminal to the state after it, or to -1 minus a production.

    `keywords` and `signs` give the terminal of a spelling; `patterns` are the regular expressions of the others.
    """

    grammar: str
    patterns: tuple[tuple[str, str], ...]
    keywords: dict[str, str]
    signs: dict[str, str]
    productions: tuple[Production, ...]
    states: tuple[dict[str, int], ...]
    starts: dict[str, int]


def fingerprint(grammar: str) -> str:
    """What ties kept tables to the grammar that they were built from."""
    text = grammar.replace("\r\n", "\n").encode()
    return f"{len(text)}-{zlib.crc32(text):08x}"


def read_tables(text: str) -> Tables:
    """Tables as `write_tables` wrote them."""
    held = json.loads(text)
    return Tables(
        held["grammar"],
        tuple((name, pattern) for name, pattern in held["patterns"]),
        held["keywords"],
        held["signs"],
        tuple(
            Production(origin, action, length, tuple((place, opened) for place, opened in kept), passes)
            for origin, action, length, kept, passes in held["productions"]
        ),
        tuple(held["states"]),
        held["starts"],
    )


def write_tables(tables: Tables) -> str:
    """The tables as JSON, one state on a line, so that a change of the grammar can be read."""
    productions = [[p.origin, p.action, p.length, p.kept, p.passes] for p in tables.productions]
    parts = {
        "grammar": json.dumps(tables.grammar),
        "patterns": json.dumps(tables.patterns),
        "keywords": json.dumps(tables.keywords),
        "signs": json.dumps(tables.signs),
        "productions": _lines(productions),
        "states": _lines(tables.states),
        "starts": json.dumps(tables.starts),
    }
    return "{\n" + ",\n".join(f'"{name}": {value}' for name, value in parts.items()) + "\n}\n"


def build_tables(grammar: str) -> Tables:
    """The tables of a grammar, by lark."""
    from lark import Lark
    from lark.lexer import PatternStr

    lark = Lark(grammar, parser="lalr", start=list(STARTS), maybe_placeholders=True)
    table = lark.parser.parser._parse_table
    ignored = set(lark.ignore_tokens)
    fixed = {
        terminal.pattern.value.lower(): terminal.name
        for terminal in lark.terminals
        if isinstance(terminal.pattern, PatternStr)
    }
    patterns = tuple(
        (terminal.name, terminal.pattern.value)
        for terminal in lark.terminals
        if not isinstance(terminal.pattern, PatternStr) and terminal.name not in ignored
    )
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    return Tables(
        fingerprint(grammar),
        tuple(sorted(patterns)),
        dict(sorted((word, name) for word, name in fixed.items() if word.isalpha())),
        dict(sorted((sign, name) for sign, name in fixed.items() if not sign.isalpha())),
        tuple(_production(rule) for rule in lark.rules),
        tuple(_state(table.states[number], rules) for number in range(len(table.states))),
        {**table.start_states, **{f"end of {start}": state for start, state in table.end_states.items()}},
    )


def _state(actions: dict[str, tuple[Any, Any]], rules: dict[Any, int]) -> dict[str, int]:
    from lark.parsers.lalr_analysis import Shift

    return {
        symbol: target if action is Shift else -1 - rules[target]
        for symbol, (action, target) in sorted(actions.items())
    }


def _production(rule: Any) -> Production:
    """What lark's own tree builder would keep of a rule's symbols."""
    kept: list[tuple[int, bool]] = []
    absent = _absent_before(rule.options.empty_indices, len(rule.expansion))
    for place, symbol in enumerate(rule.expansion):
        kept += [(-1, False)] * absent[place]
        if not symbol.is_term:
            kept.append((place, symbol.name.startswith("_")))
        elif rule.options.keep_all_tokens or not symbol.filter_out:
            kept.append((place, False))
    kept += [(-1, False)] * absent[len(rule.expansion)]
    passes = bool(rule.options.expand1 and not rule.alias)
    return Production(rule.origin.name, rule.alias or rule.origin.name, len(rule.expansion), tuple(kept), passes)


def _absent_before(empty: tuple[bool, ...], length: int) -> list[int]:
    """How many optional parts that are not written stand before each symbol, and at the end."""
    if not empty:
        return [0] * (length + 1)
    return [len(ones) for ones in "".join("1" if absent else "0" for absent in empty).split("0")]


def _lines(items: Any) -> str:
    return "[\n" + ",\n".join(json.dumps(item, separators=(",", ":")) for item in items) + "\n]"
