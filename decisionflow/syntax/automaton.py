"""The parser: runs the LALR tables over the tokens, calls an action for each production, and goes on after a mistake.

lark's own driver stops at the first mistake and costs its import; the tables are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from decisionflow.syntax.tables import END, Production, Tables
from decisionflow.syntax.tokens import DECLARATIONS, Token

Action = Callable[[Production, list[Any], int, int], Any]
"""Makes the node of a production from its kept children and the characters that it covers."""

RESTARTS = frozenset({*(word.upper() for word in DECLARATIONS), "REASONS", "RULE", "OTHERWISE", "EXPECT", END})


class Automaton:
    """One run over one list of tokens."""

    def __init__(self, tables: Tables, tokens: list[Token], text: str, start: str, act: Action) -> None:
        self.tables, self.tokens, self.text = tables, tokens, text
        self.place = 0
        self._act = act
        self._final = tables.starts[f"end of {start}"]
        self._states = [tables.starts[start]]
        self._values: list[Any] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._handed_on: dict[tuple[int, int, str, str], int] = {}

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def run(self) -> bool:
        """Go on until the tokens are read (true) or none of the tables' actions takes the next token (false)."""
        states, tables = self._states, self.tables.states
        while True:
            token = self.tokens[self.place]
            row = tables[states[-1]]
            action = row.get(token.kind)
            if action is None and token.keyword:
                action = row.get(token.keyword)
                token = token._replace(kind=token.keyword)
            if action is None:
                return token.kind == END and states[-1] == self._final
            if action >= 0:
                if token.kind == END:
                    return True
                self._shift(token, action)
                self.place += 1
                continue
            production = self.tables.productions[-1 - action]
            if production.is_unit:
                key = (states[-2], states[-1], token.kind, token.keyword)
                states[-1] = self._handed_on.get(key) or self._hand_on(*key)
            else:
                self._reduce(production, token.start)

    @property
    def value(self) -> Any:
        """What the whole text says, after a run to its end."""
        return self._values[-1]

    def insert(self, terminal: str) -> None:
        """Go on as if a keyword stood before the next token."""
        self.tokens.insert(self.place, Token(terminal, "", self.token.start, self.token.start))

    def replace(self, token: Token) -> None:
        """Go on with another token instead of the next one."""
        self.tokens[self.place] = token

    def drop(self, count: int = 1) -> None:
        """Go on as if the next tokens were not there."""
        self.place += count

    def takes(self, terminal: str, *then: Token) -> bool:
        """Whether the terminal, and the tokens after it, can come next."""
        states = self._shifted(self._states, terminal, "")
        for token in then:
            if states is None:
                break
            states = self._shifted(states, token.kind, token.keyword)
        return states is not None

    def expected(self) -> list[str]:
        """The terminals that can come next."""
        row = self.tables.states[self._states[-1]]
        return [symbol for symbol in row if (symbol.isupper() or symbol == END) and self.takes(symbol)]

    def restart(self, also: Collection[int] = ()) -> bool:
        """Skip to the next word that begins something, or a token of `also`, and drop what was begun before it."""
        while self.place < len(self.tokens):
            token = self.token
            if (token.kind in RESTARTS or self.place in also) and self._unwind(token.kind):
                return True
            self.place += 1
        return False

    def _unwind(self, terminal: str) -> bool:
        for height in range(len(self._states), 0, -1):
            if self._shifted(self._states[:height], terminal, "") is not None:
                del self._states[height:]
                del self._values[height - 1 :]
                del self._starts[height - 1 :]
                del self._ends[height - 1 :]
                return True
        return False

    def _shifted(self, states: list[int], kind: str, keyword: str) -> list[int] | None:
        """The states after a terminal, None where it cannot come next."""
        states, tables = list(states), self.tables
        while True:
            row = tables.states[states[-1]]
            action = row.get(kind)
            if action is None and keyword:
                action = row.get(keyword)
            if action is None:
                return states if kind == END and states[-1] == self._final else None
            if action >= 0:
                return [*states, action]
            production = tables.productions[-1 - action]
            if production.length:
                del states[-production.length :]
            states.append(tables.states[states[-1]][production.origin])

    def _hand_on(self, below: int, state: int, kind: str, keyword: str) -> int:
        """The state after all productions that only hand on a value; kept, for expressions have ten of them."""
        key = (below, state, kind, keyword)
        while True:
            row = self.tables.states[state]
            action = row.get(kind)
            if action is None and keyword:
                action = row.get(keyword)
            if action is None or action >= 0 or not self.tables.productions[-1 - action].is_unit:
                self._handed_on[key] = state
                return state
            state = self.tables.states[below][self.tables.productions[-1 - action].origin]

    def _shift(self, token: Token, state: int) -> None:
        self._states.append(state)
        self._values.append(token)
        self._starts.append(token.start)
        self._ends.append(token.end)

    def _reduce(self, production: Production, at: int) -> None:
        values = self._values
        base = len(values) - production.length
        start, end = (self._starts[base], self._ends[-1]) if production.length else (at, at)
        children: list[Any] = []
        for place, opened in production.kept:
            if not opened:
                children.append(values[base + place] if place >= 0 else None)
            elif children:
                children += values[base + place]
            else:
                children = values[base + place]
        del self._states[base + 1 :], values[base:], self._starts[base:], self._ends[base:]
        if production.is_list:
            value: Any = children
        elif production.passes and len(children) == 1:
            value = children[0]
        else:
            value = self._act(production, children, start, end)
        values.append(value)
        self._starts.append(start)
        self._ends.append(end)
        self._states.append(self.tables.states[self._states[-1]][production.origin])
