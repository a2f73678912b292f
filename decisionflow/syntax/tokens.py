"""Text to tokens: words, signs, literals, comments, and the slips that have a message of their own.

A slip is reported here and read as what its writer meant, so that the parser goes on undisturbed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from decisionflow.diagnostics import Diagnostic
from decisionflow.frozen import frozen
from decisionflow.source import Source, Span
from decisionflow.syntax import messages
from decisionflow.syntax.grammar import tables
from decisionflow.syntax.limits import Limits
from decisionflow.syntax.tables import END
from decisionflow.syntax.tree import Comment

DECLARATIONS = ("policy", "use", "background", "feature", "parameter", "derived", "model", "decision", "test")
RESERVED = frozenset(
    {
        *("and", "or", "not", "in", "is", "missing", "present", "if", "then", "else", "otherwise", "true", "false"),
        *("rule", "table", "companion", "given", "expect"),
        *DECLARATIONS,
    }
)
CONDITION_WORDS = frozenset({"and", "or", "not", "in", "is", "missing", "present", "true", "false"})
GUARDED = frozenset({"at", "exactly", "reason", "reasons", "row"})
EFFECTS = frozenset({"raises", "lowers"})
"""Keywords that may stand where a name may: the words after them decide."""

TEXT_OPERATORS = frozenset({"starts", "ends", "contains"})


class Token(NamedTuple):
    """A word or sign; `keyword` is the terminal that a bare word is where the grammar expects that keyword."""

    kind: str
    text: str
    start: int
    end: int
    keyword: str = ""


@frozen
class Tokens:
    """The tokens of a source, the last one marking its end; comments; slips; where characters have no meaning.

    `is_cut` where reading stopped early: too many slips, or a size beyond the limits.
    """

    source: Source
    tokens: list[Token]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]
    strange: tuple[int, ...]
    is_cut: bool


BARS = {"|": ("or",), "||": ("or",)}
"""What they mean outside a table, in other notations."""

BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_BEGINS = frozenset(word.upper() for word in DECLARATIONS)
_ENDS_CONDITION = _BEGINS | {"RULE", "THEN", "OTHERWISE"}

MEANT = {
    "==": ("=",),
    "=<": ("<=",),
    "<>": ("!=",),
    "~=": ("!=",),
    "≠": ("!=",),
    "≤": ("<=",),
    "≥": (">=",),
    "⩽": ("<=",),
    "⩾": (">=",),
    ":=": ("=",),
    "&&": ("and",),
    "&": ("and",),
    "∧": ("and",),
    "∨": ("or",),
    "!": ("not",),
    "¬": ("not",),
    "**": ("^",),
    "×": ("*",),
    "·": ("*",),
    "÷": ("/",),
    "−": ("-",),
    "–": ("-",),
    "—": ("-",),
    "…": ("..",),
    "...": ("..",),
    "∈": ("in",),
    "->": ("then",),
    "→": ("then",),
    "=>": (">=", "then"),
    "⇒": ("then",),
}
"""Signs of other notations, and what they are written as here."""

_OPENING, _CLOSING = "“”„‟«»", "“”‟«»"


@cache
def _scanner() -> re.Pattern[str]:
    patterns = dict(tables().patterns)
    slips = sorted(MEANT, key=len, reverse=True)
    signs = sorted((sign for sign in tables().signs if " " not in sign), key=len, reverse=True)
    groups = (
        ("BLANK", r"[\s\ufeff]+"),
        ("COMMENT", r"#[^\r\n]*"),
        ("NAME", patterns["NAME"]),
        ("TIMESTAMP", patterns["TIMESTAMP"]),
        ("DATE", patterns["DATE"]),
        ("OTHER_DATE", r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?!\w)|[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}(?!\w)"),
        ("NUMBER", patterns["NUMBER"]),
        ("TEXT", patterns["TEXT"]),
        ("CURLY", rf"[{_OPENING}](?:[^{_CLOSING}\r\n])*[{_CLOSING}]|'[^'\r\n]*'|[‘’][^‘’\r\n]*[‘’]"),
        ("MIXED", rf'[{_OPENING}][^"{_CLOSING}\r\n]*"'),
        ("UNCLOSED", r'"[^\r\n]*|`[^\r\n]*|[“„«‘\'][^\r\n]*'),
        ("POINT", r"\.[0-9]+(?:[eE][+-]?[0-9]+)?%?"),
        ("SLIP", "|".join(f"{re.escape(slip)}(?!=)" if slip == "!" else re.escape(slip) for slip in slips)),
        ("SIGN", "|".join(map(re.escape, signs))),
        ("UNKNOWN", r"."),
    )
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in groups), re.DOTALL)


def tokenize(source: Source, limits: Limits, text: str | None = None) -> Tokens:
    """The tokens of a whole source, or of a text of the same length that is read in its stead."""
    reading = _Reading(source, limits, source.text if text is None else text)
    reading.read()
    return Tokens(
        source,
        reading.tokens,
        tuple(reading.comments),
        tuple(reading.diagnostics),
        tuple(reading.strange),
        reading.is_cut,
    )


def code_end(text: str, start: int, end: int) -> int:
    """Where the last word or sign of a stretch of text ends; `start` where there is none."""
    found = start
    for match in _scanner().finditer(text, start, end):
        if match.lastgroup not in ("BLANK", "COMMENT"):
            found = match.end()
    return found


class _Reading:
    """One pass over a source."""

    def __init__(self, source: Source, limits: Limits, text: str) -> None:
        self.source, self.limits, self.text = source, limits, text
        self.tokens: list[Token] = []
        self.comments: list[Comment] = []
        self.diagnostics: list[Diagnostic] = []
        self.strange: list[int] = []
        self.is_cut = False
        self._depth, self._in_table = 0, False
        self._signs = tables().signs
        self._words = {word: _word(word, name) for word, name in tables().keywords.items()}

    def read(self) -> None:
        scan = _scanner()
        text = self.text
        add = self.tokens.append
        for found in scan.finditer(text):
            group, start, end = found.lastgroup, found.start(), found.end()
            if group == "BLANK":
                continue
            if group == "SIGN":
                sign = text[start:end]
                if sign in BARS and not self._in_table:
                    self._slip(sign, start, end)
                    continue
                add(Token(self._signs[sign], sign, start, end))
                if sign in BRACKETS:
                    self._nest(BRACKETS[sign], start)
            elif group == "NAME":
                word = text[start:end]
                kind, keyword = self._words.get(word.lower(), ("NAME", ""))
                add(Token(kind, word, start, end, keyword))
                if kind in _BEGINS:
                    self._depth, self._in_table = 0, False
                elif kind == "TABLE":
                    self._in_table = True
            else:
                self._other(str(group), start, end)
            if end - start > self.limits.literal_characters and group != "COMMENT":
                self._cut(messages.literal_too_long(self._span(start, end), self.limits.literal_characters))
            if self.is_cut or len(self.diagnostics) >= self.limits.syntax_errors:
                self.is_cut = True
                break
        add(Token(END, "", len(text), len(text)))
        self.tokens = list(_guarded(self.tokens))

    def _nest(self, change: int, start: int) -> None:
        self._depth = max(0, self._depth + change)
        if self._depth > self.limits.nested_levels:
            self._cut(messages.nested_too_deep(self._span(start, start + 1), self.limits.nested_levels))

    def _cut(self, diagnostic: Diagnostic) -> None:
        """Stop reading: what follows is not a policy that anybody wrote."""
        self._report(diagnostic)
        self.is_cut = True

    def _other(self, group: str, start: int, end: int) -> None:
        text = self.text[start:end]
        if group == "COMMENT":
            self.comments.append(Comment(text.rstrip(), self._span(start, start + len(text.rstrip()))))
        elif group in ("CURLY", "MIXED", "UNCLOSED"):
            self._quoted(group, start, end)
        elif group == "SLIP":
            self._slip(text, start, end)
        elif group == "OTHER_DATE":
            self._report(messages.other_date(self._span(start, end)))
            self.tokens.append(Token("DATE", text, start, end))
        elif group == "POINT":
            self._broken_number(text, start, end)
        elif group == "UNKNOWN":
            self._strange(start, end)
        else:
            self.tokens.append(Token(group, text, start, end))

    def _broken_number(self, text: str, start: int, end: int) -> None:
        """`.5`, or the rest of `1.000.000`, which is no number but was meant as one."""
        before = self.tokens[-1] if self.tokens else None
        if before is None or before.kind != "NUMBER" or before.end != start:
            self._report(messages.number_without_zero(self._span(start, end)))
            self.tokens.append(Token("NUMBER", "0" + text, start, end))
            return
        if self.text[before.start : start].count(".") == 1:
            self._report(messages.many_points(self._span(before.start, end)))
        self.tokens[-1] = Token("NUMBER", before.text, before.start, end)

    def _quoted(self, group: str, start: int, end: int) -> None:
        text = self.text[start:end]
        span = self._span(start, end)
        if group == "UNCLOSED":
            self._report(messages.quote_not_closed(self._span(start, start + 1)))
            kind = "NAME" if text[0] == "`" else "TEXT"
            self.tokens.append(Token(kind, text[0] + text[1:].rstrip() + text[0], start, end))
            return
        self._report(messages.wrong_quotes(span))
        self.tokens.append(Token("TEXT", f'"{text[1:-1]}"', start, end))

    def _slip(self, text: str, start: int, end: int) -> None:
        meant = MEANT.get(text) or BARS[text]
        if len(meant) > 1:
            meant = meant[1:] if self._leads_to_outcome(end) else meant[:1]
        self._report(messages.other_notation(self._span(start, end), meant[0]))
        kind = tables().keywords.get(meant[0]) or tables().signs[meant[0]]
        self.tokens.append(Token(kind, meant[0], start, end))

    def _leads_to_outcome(self, end: int) -> bool:
        """Whether an `if` waits for its `then`, which follows nowhere: `if age < 18 => decline`."""
        for token in reversed(self.tokens):
            if token.kind in _ENDS_CONDITION:
                return False
            if token.kind == "IF":
                break
        for word in re.finditer(r"[^\W\d]\w*", self.text[end : end + self.limits.literal_characters]):
            if word.group().lower() in RESERVED - CONDITION_WORDS:
                return word.group().lower() != "then"
        return True

    def _strange(self, start: int, end: int) -> None:
        if not self.strange or start != self.strange[-1] + 1:
            self._report(messages.unknown_character(self._span(start, end)))
        self.strange.append(start)

    def _report(self, diagnostic: Diagnostic) -> None:
        if len(self.diagnostics) < self.limits.syntax_errors:
            self.diagnostics.append(diagnostic)

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)


def _word(word: str, terminal: str) -> tuple[str, str]:
    """The kind and the keyword of a bare word: a reserved one is never a name."""
    if word in RESERVED:
        return terminal, terminal
    return "NAME", "" if word in GUARDED else terminal


def _guarded(tokens: list[Token]) -> Iterator[Token]:
    """Tell the keywords that may stand where a name may, and a record's `(`, by what follows."""
    records = _record_openings(tokens)
    for place, token in enumerate(tokens):
        if place in records:
            yield token._replace(kind="RECORD_OPEN", keyword="LPAR")
        elif token.kind == "NAME" and not token.keyword and token.text.lower() in GUARDED:
            yield _as_keyword(token, tokens, place)
        else:
            yield token


def _as_keyword(token: Token, tokens: list[Token], place: int) -> Token:
    word, after = token.text.lower(), tokens[place + 1]
    if word == "reason":
        operator = after.text.lower() in TEXT_OPERATORS and (
            after.text.lower() == "contains" or _is_with(tokens[place + 2])
        )
        named = after.kind == "NAME" and not operator
        is_keyword = named or after.kind in ("TEXT", "NUMBER")
    elif word == "reasons":
        is_keyword = after.kind == "NAME" and tokens[place + 2].text.lower() in EFFECTS
    elif word in ("exactly", "row"):
        is_keyword = after.kind == "NUMBER"
    else:
        is_keyword = after.text.lower() in ("least", "most") and tokens[place + 2].kind == "NUMBER"
    return token._replace(kind=word.upper(), keyword="NAME") if is_keyword else token._replace(keyword=word.upper())


def _is_with(token: Token) -> bool:
    return token.text.lower() == "with"


def _record_openings(tokens: list[Token]) -> set[int]:
    """Where a `(` opens a record: `name = …` follows, and after it a comma and another `name = …`."""
    found: set[int] = set()
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.kind in ("LPAR", "LSQB", "LBRACE"):
            opened.append(place)
        elif token.kind in ("RPAR", "RSQB", "RBRACE") and opened:
            opened.pop()
        elif token.kind == "COMMA" and opened and _names_value(tokens, place + 1):
            opening = opened[-1]
            found.update([opening] if tokens[opening].kind == "LPAR" and _names_value(tokens, opening + 1) else [])
    return found


def _names_value(tokens: list[Token], place: int) -> bool:
    return [token.kind for token in tokens[place : place + 2]] == ["NAME", "EQUAL"]
