"""Canonical text in which every comment survives at its place.

A comment behind code stays behind the line that says the same; one on a line of its own, or in the midst of what
becomes one line, stands before that line. Single blank lines that the author left are kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from decisionflow.frozen import frozen
from decisionflow.syntax import tree
from decisionflow.syntax.layout import layout
from decisionflow.syntax.lines import Line


@frozen
class Elements:
    """The first and the last line of each element, and where in the source each begins."""

    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    starts: tuple[int, ...]

    def before(self, offset: int) -> int:
        """The last element that begins at or before a character; -1 where none does."""
        return bisect_right(self.starts, offset) - 1


def format_text(file: tree.File) -> str:
    """The canonical text of a parsed file; of its own output it makes the same again."""
    lines = layout(file.declarations)
    elements = _elements(lines)
    before: dict[int, list[tree.Comment]] = {}
    behind: dict[int, list[tree.Comment]] = {}
    for comment in file.comments:
        _place(comment, lines, elements, before, behind)
    written: list[Line] = []
    for number, line in enumerate(lines):
        notes = [_note(comment, written[-1:], line) for comment in before.get(number, ())]
        written += _separated(written[-1:], notes, line)
        tail = "".join(f"  {comment.text}" for comment in behind.get(number, ()))
        written.append(replace(line, text=line.text + tail, gap=False))
    for comment in before.get(len(lines), ()):
        note = _note(comment, written[-1:], None)
        written += _separated(written[-1:], [note], None)
    return "".join(f"{line}".rstrip() + "\n" for line in written)


def _elements(lines: Sequence[Line]) -> Elements:
    firsts = [number for number, line in enumerate(lines) if line.begins]
    lasts = [following - 1 for following in [*firsts[1:], len(lines)]]
    return Elements(tuple(firsts), tuple(lasts), tuple(lines[number].span.start for number in firsts))


def _place(
    comment: tree.Comment,
    lines: Sequence[Line],
    elements: Elements,
    before: dict[int, list[tree.Comment]],
    behind: dict[int, list[tree.Comment]],
) -> None:
    element = elements.before(comment.span.start)
    if element >= 0 and comment.span.start < lines[elements.firsts[element]].span.end:
        before.setdefault(elements.firsts[element], []).append(comment)
    elif element >= 0 and not _stands_alone(comment) and _same_line(lines[elements.lasts[element]], comment):
        behind.setdefault(elements.lasts[element], []).append(comment)
    else:
        following = elements.firsts[element + 1] if element + 1 < len(elements.firsts) else len(lines)
        before.setdefault(following, []).append(comment)


def _same_line(line: Line, comment: tree.Comment) -> bool:
    return "\n" not in comment.span.source.text[line.span.end : comment.span.start]


def _stands_alone(comment: tree.Comment) -> bool:
    source, start = comment.span.source, comment.span.start
    return not source.text[source.text.rfind("\n", 0, start) + 1 : start].strip("\ufeff \t")


def _note(comment: tree.Comment, previous: Sequence[Line], following: Line | None) -> Line:
    """A comment as a line, indented like what follows; an indented one at a body's end like what stands before."""
    indent = following.indent if following else 0
    if indent == 0 and previous and comment.span.source.position(comment.span.start)[1] > 1 and _stands_alone(comment):
        indent = previous[-1].indent
    return Line(comment.text, indent, comment.span)


def _separated(previous: Sequence[Line], notes: Sequence[Line], line: Line | None) -> list[Line]:
    """Comments before a line, with the blank lines that the layout asks for or the author left."""
    written: list[Line] = list(previous)
    gap = bool(line and line.gap)
    for note in notes:
        attached = line is not None and note.indent == line.indent
        if written and (_apart(written[-1], note) or (gap and attached)):
            written.append(replace(note, text="", indent=0))
        gap = gap and not attached
        written.append(note)
    if line is not None and line.begins and written and (gap or _apart(written[-1], line)):
        written.append(replace(line, text="", indent=0))
    return written[len(previous) :]


def _apart(first: Line, second: Line) -> bool:
    """Whether the author left a blank line between two."""
    between = first.span.source.text[first.span.end : second.span.start]
    return any(not part.strip() for part in between.split("\n")[1:-1])
