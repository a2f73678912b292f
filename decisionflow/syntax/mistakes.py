"""What is wrong where the grammar takes no further token, and how to go on after it."""

from __future__ import annotations

from decisionflow.diagnostics import did_you_mean
from decisionflow.source import Span
from decisionflow.syntax import messages
from decisionflow.syntax.automaton import Automaton
from decisionflow.syntax.nodes.building import Building
from decisionflow.syntax.tables import END
from decisionflow.syntax.tokens import DECLARATIONS, RESERVED, Token

CLOSING = {"LPAR": ")", "RECORD_OPEN": ")", "LSQB": "]", "LBRACE": "}"}
OPENS, CLOSES = frozenset(CLOSING), frozenset({"RPAR", "RSQB", "RBRACE"})
VALUES = frozenset({"NAME", "NUMBER", "TEXT", "DATE", "TIMESTAMP", "TRUE", "FALSE", "IF", "LPAR", "MINUS"})
MOST_SHOWN = 6
OTHER_WORDS = {
    "when": "if",
    "default": "otherwise",
    "else": "otherwise",
    "elif": "else if",
    "elseif": "else if",
    "between": "in [low .. high]",
    "like": "contains",
    "import": "use",
    "include": "use",
    "input": "feature",
    "output": "decision",
    "constant": "parameter",
    "null": "missing",
}
"""Words of other notations, and what is written here."""


def mend(automaton: Automaton, build: Building) -> bool:
    """Report the mistake at the next token and go on where that is possible; false at the end of the text."""
    build.broken.append(automaton.token.start)
    if _known_slip(automaton, build):
        return True
    if not _follows_strange(automaton, build):
        _report(automaton, build)
    return automaton.restart(_row_starts(automaton)) and len(build.diagnostics) < build.limits.syntax_errors


def _follows_strange(automaton: Automaton, build: Building) -> bool:
    """Whether a character without a meaning, reported already, stands before the next token."""
    before, token, _ = _around(automaton)
    start = before.end if automaton.place else 0
    return any(start <= place < token.start for place in build.strange)


def _known_slip(automaton: Automaton, build: Building) -> bool:
    """Slips whose meaning is plain: the parser goes on with what was meant."""
    return any(
        slip(automaton, build)
        for slip in (_missing_value, _is_not, _reserved_word, _decimal_comma, _missing_then, _missing_sign)
    )


def _reserved_word(automaton: Automaton, build: Building) -> bool:
    token = automaton.token
    if token.text.lower() not in RESERVED or not automaton.takes("NAME", automaton.tokens[automaton.place + 1]):
        return False
    if automaton.takes("NUMBER"):
        build.report(messages.reserved_label(build.span(token), or_name=True))
    elif automaton.takes("TEXT"):
        build.report(messages.reserved_label(build.span(token), or_name=False))
    else:
        build.report(messages.reserved_name(build.span(token)))
    automaton.replace(Token("NAME", token.text, token.start, token.end))
    return True


def _decimal_comma(automaton: Automaton, build: Building) -> bool:
    before, comma, after = _around(automaton)
    if comma.kind != "COMMA" or before.kind != "NUMBER" or after.kind != "NUMBER":
        return False
    if before.end != comma.start or comma.end != after.start:
        return False
    build.report(messages.decimal_comma(Span(build.source, before.start, after.end)))
    automaton.drop(2)
    return True


def _missing_value(automaton: Automaton, build: Building) -> bool:
    before, token, _ = _around(automaton)
    if token.kind != "MISSING" or before.kind not in ("EQUAL", "UNEQUAL"):
        return False
    build.report(messages.missing_after_equals(Span(build.source, before.start, token.end), before.text))
    automaton.replace(Token("NAME", token.text, token.start, token.end))
    return True


def _is_not(automaton: Automaton, build: Building) -> bool:
    before, token, after = _around(automaton)
    if before.kind != "IS" or token.kind != "NOT" or after.kind not in ("MISSING", "PRESENT"):
        return False
    build.report(messages.is_not(Span(build.source, before.start, after.end), after.text.lower()))
    automaton.drop()
    return True


def _missing_then(automaton: Automaton, build: Building) -> bool:
    token = automaton.token
    if token.kind not in VALUES - {"IF", "LPAR"} or not automaton.takes("THEN"):
        return False
    if (token.keyword and _suggestion(automaton, token)) or _then_follows(automaton):
        return False
    build.report(messages.missing_then(build.span(token)))
    automaton.insert("THEN")
    return True


def _then_follows(automaton: Automaton) -> bool:
    """Whether the rule has its `then` further on, so that something before it is wrong."""
    for token in automaton.tokens[automaton.place :]:
        if token.kind == "THEN":
            return True
        if token.kind in ("RULE", "OTHERWISE", "IF", END) or token.text.lower() in DECLARATIONS:
            return False
    return False


def _missing_sign(automaton: Automaton, build: Building) -> bool:
    token, place = automaton.token, automaton.place
    names_value = place > 1 and automaton.tokens[place - 2].kind in ("DERIVED", "PARAMETER")
    after_colon = place > 0 and automaton.tokens[place - 1].kind == "COLON"
    for terminal, sign, wanted in (("COLON", ":", True), ("EQUAL", "=", names_value), ("IF", "if", after_colon)):
        if wanted and automaton.takes(terminal, token) and not automaton.takes("PLUS"):
            _put(automaton, build, terminal, sign)
            return True
    return False


def _put(automaton: Automaton, build: Building, terminal: str, sign: str) -> None:
    """Go on as if a missing sign were there, or, for `when` and its like, as if the right word were."""
    token, after = automaton.token, automaton.tokens[automaton.place + 1]
    is_instead = terminal == "IF" and token.kind == "NAME" and after.kind in VALUES
    advice = f"write `{sign}`" + ("" if is_instead else " before it")
    build.report(messages.unexpected(build.span(token), _found(token), f"`{sign}`", advice))
    if is_instead:
        automaton.replace(token._replace(kind=terminal, keyword=""))
    else:
        automaton.insert(terminal)


def _report(automaton: Automaton, build: Building) -> None:
    token = automaton.token
    opening = _open_bracket(automaton)
    if opening is not None and token.kind in CLOSES and not _may_close(opening, token):
        closing = "`)` or `]`" if _closes_interval(automaton) else f"`{CLOSING[opening.kind]}`"
        build.report(messages.bracket_mismatch(build.span(token), build.span(opening), closing))
    elif opening is not None and (token.kind == END or token.text.lower() in RESERVED - {"not", "true", "false"}):
        build.report(messages.bracket_not_closed(build.span(opening), CLOSING[opening.kind], _found(token)))
    elif token.kind == "NAME" and not automaton.takes("NAME"):
        suggestion = _other_word(token) or _suggestion(automaton, token) or _one_label(automaton)
        build.report(messages.unknown_word(build.span(token), _expected(automaton), suggestion))
    else:
        build.report(
            messages.unexpected(build.span(token), _found(token), _expected(automaton), _advice(automaton, token))
        )


def _one_label(automaton: Automaton) -> str:
    before, token, _ = _around(automaton)
    if before.kind != "NAME" or automaton.takes("FEATURE"):
        return ""
    return f"if `{before.text} {token.text}` is one label, put it in quotes; if it is one name, in backquotes"


def _other_word(token: Token) -> str:
    meant = OTHER_WORDS.get(token.text.lower())
    return f"write `{meant}`" if meant else ""


def _advice(automaton: Automaton, token: Token) -> str:
    """What to try where a sign, a number or a reserved word stands at a wrong place."""
    if token.kind == "NUMBER" and automaton.takes("NAME") and not automaton.takes("NUMBER"):
        if automaton.takes("TEXT"):
            return "a label that is a number stands in quotes"
        return "a name starts with a letter; any other column name stands in backquotes"
    if token.kind == "IF" and automaton.takes("LPAR"):
        return "put `if … then … else …` in parentheses"
    if token.kind in ("RULE", "OTHERWISE", "TABLE", "COMPANION") and automaton.takes("FEATURE"):
        return "write it below the `decision` that it belongs to"
    if automaton.takes("DOTS") and token.kind == "COMMA":
        return "an interval is written `[low .. high]`, a choice of values `{ a, b }`"
    if automaton.takes("DOTS") or token.kind == "DOTS":
        return "an interval is written `[low .. high]`, with `(` or `)` where an end is left out"
    if token.kind in ("AND", "OR", "IN") and (automaton.takes("BAR") or automaton.takes("DOUBLE_BAR")):
        return "a cell holds values, comparisons or intervals, with commas between: `< 3, >= 5` or `[3 .. 5)`"
    if automaton.takes("RULE") and automaton.takes("TABLE") and token.kind != "ELSE":
        return "give the decision its rules, a table, or `= EXPRESSION`"
    return _other_word(token)


def _may_close(opening: Token, closing: Token) -> bool:
    return closing.text == CLOSING[opening.kind] or (opening.kind == "LSQB" and closing.text == ")")


def _closes_interval(automaton: Automaton) -> bool:
    return automaton.takes("RSQB") and automaton.takes("RPAR")


def _around(automaton: Automaton) -> tuple[Token, Token, Token]:
    place, tokens = automaton.place, automaton.tokens
    before = tokens[place - 1] if place else tokens[place]
    return before, tokens[place], tokens[min(place + 1, len(tokens) - 1)]


def _open_bracket(automaton: Automaton) -> Token | None:
    """The innermost bracket that is open before the next token, within its declaration."""
    depth = 0
    for token in reversed(automaton.tokens[: automaton.place]):
        if token.kind in CLOSES:
            depth += 1
        elif token.kind in OPENS:
            if depth == 0:
                return token
            depth -= 1
        elif token.kind in ("RULE", "OTHERWISE") or token.text.lower() in DECLARATIONS:
            return None
    return None


def _row_starts(automaton: Automaton) -> frozenset[int]:
    """Where the next lines of a table start."""
    found, text = [], automaton.text
    for place in range(automaton.place + 1, len(automaton.tokens)):
        token = automaton.tokens[place]
        if token.kind in ("BAR", "DOUBLE_BAR") and "\n" in text[automaton.tokens[place - 1].end : token.start]:
            found.append(place)
            break
        if token.text.lower() in DECLARATIONS:
            break
    return frozenset(found)


def _found(token: Token) -> str:
    return "the end of the file" if token.kind == END else f"`{token.text}`"


def _expected(automaton: Automaton) -> str:
    """What may come next, in an analyst's words."""
    terminals = set(automaton.expected())
    phrases = list(dict.fromkeys(_phrases(automaton, terminals)))
    if len(phrases) > MOST_SHOWN:
        phrases = [*phrases[:MOST_SHOWN], "something else"]
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " or " + phrases[-1] if phrases else "nothing"


def _phrases(automaton: Automaton, terminals: set[str]) -> list[str]:
    phrases = []
    for phrase, needed, covered in _GROUPS:
        if needed <= terminals:
            phrases.append(phrase)
            terminals = terminals - covered
    rest = [_phrase(automaton, terminal) for terminal in sorted(terminals - _ENDINGS)]
    ending = "the next declaration" if "FEATURE" in terminals else "the end of the file" if END in terminals else ""
    return phrases + rest + ([ending] if ending else [])


_OPERATORS = frozenset(
    {
        *("PLUS", "MINUS", "STAR", "SLASH", "CIRCUMFLEX", "EQUAL", "UNEQUAL", "LESSTHAN", "AT_MOST", "MORETHAN"),
        *("AT_LEAST", "IN", "IS", "NOT", "STARTS", "ENDS", "CONTAINS", "AND", "OR", "DOT", "LPAR"),
    }
)
_TYPES = frozenset(
    {"INTEGER", "BOOLEAN", "NUMBER_TYPE", "TEXT_TYPE", "DATE_TYPE", "TIMESTAMP_TYPE", "LBRACE", "LPAR", "ORDERED"}
)
_DOMAINS = frozenset({"LSQB", "LPAR", "LESSTHAN", "AT_MOST", "MORETHAN", "AT_LEAST"})
_BODIES = frozenset({"RULE", "TABLE", "COMPANION", "OTHERWISE", "EQUAL"})
_BEFORE_BODY = frozenset(
    {"BEST", "WORST", "ADVERSE", "REASONS", "FIRST", "UNIQUE", "ANY", "PRIORITY", "COLLECT", "TEXT"}
)
_UNITS = frozenset(
    f"{unit}{ending}" for unit in ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "YEAR") for ending in ("", "S")
)
_GROUPS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("a value", frozenset({"NAME", "NUMBER", "TEXT"}), VALUES | {"NOT", "AT", "EXACTLY", "RECORD_OPEN"}),
    ("a label", frozenset({"NAME", "TEXT"}), frozenset({"NAME", "TEXT"})),
    ("a type such as `number` or `{ yes, no }`", frozenset({"INTEGER", "BOOLEAN"}), _TYPES),
    ("rules, a table, `companion of` or `=`", frozenset({"RULE", "TABLE", "EQUAL"}), _BODIES | _BEFORE_BODY | _DOMAINS),
    ("an operator", frozenset({"PLUS", "STAR"}), _OPERATORS | _UNITS),
    ("an operator", frozenset({"EQUAL", "LESSTHAN", "IN"}), _OPERATORS),
    ("a domain such as `[0 .. 1]`", _DOMAINS, _DOMAINS | _UNITS),
)
"""Groups of terminals under one name: those that show that it fits, and all that it stands for."""
_ENDINGS = frozenset({END, "REASONS", *(word.upper() for word in DECLARATIONS)})
_NAMED = {
    "NAME": "a name",
    "TEXT": "a text in quotes",
    "NUMBER": "a number",
    "DATE": "a date",
    "TIMESTAMP": "a timestamp",
}


def _phrase(automaton: Automaton, terminal: str) -> str:
    if terminal in _NAMED:
        return _NAMED[terminal]
    if terminal == "RECORD_OPEN":
        return "`(`"
    return f"`{_spellings(automaton).get(terminal, terminal.lower())}`"


def _spellings(automaton: Automaton) -> dict[str, str]:
    tables = automaton.tables
    return {terminal: spelling for spelling, terminal in (tables.keywords | tables.signs).items()}


def _suggestion(automaton: Automaton, token: Token) -> str:
    """The keyword that may stand here and looks most like the word."""
    spellings = _spellings(automaton)
    words = [spellings[terminal] for terminal in automaton.expected() if spellings.get(terminal, "").isalpha()]
    return did_you_mean(token.text, words)
