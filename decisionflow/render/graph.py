"""The graph of a policy as text, Mermaid and SVG."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from decisionflow.program.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = ("feature", "derived", "model", "decision")
SHAPES = {"feature": ("[", "]"), "derived": ("(", ")"), "model": ("[[", "]]"), "decision": ("{{", "}}")}
FILLS = {"feature": "#e8eef7", "derived": "#eef5e6", "model": "#fbeed9", "decision": "#f3e3f2"}
BOX, GAP, LINE = (210, 34), (90, 14), 12


def graph_text(program: Program) -> str:
    """Each name after those it is computed from, with its kind, type and what it reads."""
    kinds = _kinds(program)
    lines = [f"policy {program.name}" + (f"  {program.title}" if program.title else "")]
    for kind in KINDS:
        names = [name for name in program.order if kinds[name] == kind]
        names = sorted(names, key=list(program.reads).index) if kind == "feature" else names
        lines += _section(program, kind, names) if names else []
    return "\n".join(lines) + "\n"


def _section(program: Program, kind: str, names: list[str]) -> list[str]:
    wide = max(len(name) for name in names)
    plural = {"feature": "features", "derived": "derived values", "model": "models", "decision": "decisions"}[kind]
    lines = ["", plural]
    for name in names:
        reads = program.reads[name]
        arrow = f"  <- {', '.join(reads)}" if reads else ""
        lines.append(f"  {name:<{wide}}  {_type(program, name)}{arrow}")
    return lines


def graph_mermaid(program: Program) -> str:
    """A Mermaid flowchart; every name is escaped."""
    kinds = _kinds(program)
    numbers = {name: f"n{place}" for place, name in enumerate(program.reads)}
    lines = ["flowchart LR"]
    for name, node in numbers.items():
        left, right = SHAPES[kinds[name]]
        lines.append(f'  {node}{left}"{_mermaid(name)}"{right}:::{kinds[name]}')
    lines += [f"  {numbers[used]} --> {numbers[name]}" for name, reads in program.reads.items() for used in reads]
    lines += [f"  classDef {kind} fill:{FILLS[kind]},stroke:#555" for kind in KINDS]
    return "\n".join(lines) + "\n"


def graph_svg(program: Program) -> str:
    """A picture of the graph, features on the left, every name to the right of those it is computed from."""
    kinds, places = _kinds(program), _places(program)
    width = (max((x for x, _ in places.values()), default=0) + 1) * (BOX[0] + GAP[0]) + GAP[0]
    height = (max((y for _, y in places.values()), default=0) + 1) * (BOX[1] + GAP[1]) + GAP[1]
    title = escape(program.title or program.name)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Graph of {title}" font-family="sans-serif" font-size="{LINE}">',
        f"<title>{title}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    parts += [_edge(places[used], places[name]) for name, reads in program.reads.items() for used in reads]
    parts += [_node(name, _type(program, name), kinds[name], places[name]) for name in program.reads]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _places(program: Program) -> dict[str, tuple[int, int]]:
    layer: dict[str, int] = {}
    for name in program.order:
        layer[name] = max((layer[used] + 1 for used in program.reads[name]), default=0)
    filled: dict[int, int] = {}
    places = {}
    for name in program.reads:
        place = filled.get(layer[name], 0)
        places[name] = (layer[name], place)
        filled[layer[name]] = place + 1
    return places


def _corner(place: tuple[int, int]) -> tuple[int, int]:
    return GAP[0] + place[0] * (BOX[0] + GAP[0]), GAP[1] + place[1] * (BOX[1] + GAP[1])


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = _corner(start), _corner(end)
    left, right = x1 + BOX[0], x2
    middle = (left + right) / 2
    y1, y2 = y1 + BOX[1] // 2, y2 + BOX[1] // 2
    return f'<path d="M{left} {y1} C{middle} {y1} {middle} {y2} {right} {y2}" fill="none" stroke="#999"/>'


def _node(name: str, kind_type: str, kind: str, place: tuple[int, int]) -> str:
    x, y = _corner(place)
    return (
        f"<g><title>{escape(f'{kind} {name} : {kind_type}')}</title>"
        f'<rect x="{x}" y="{y}" width="{BOX[0]}" height="{BOX[1]}" rx="5" fill="{FILLS[kind]}" stroke="#555"/>'
        f'<text x="{x + 8}" y="{y + 14}">{escape(_short(name))}</text>'
        f'<text x="{x + 8}" y="{y + 28}" fill="#555" font-size="10">'
        f"{escape(_short(f'{kind} : {kind_type}'))}</text></g>"
    )


def _short(text: str, most: int = 32) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _mermaid(text: str) -> str:
    return "".join(f"#{ord(letter)};" if letter in '"#;<>&`\\' or ord(letter) < 32 else letter for letter in text)


def _kinds(program: Program) -> Mapping[str, str]:
    groups = (program.features, program.derived, program.models, program.decisions)
    return {name: kind for kind, group in zip(KINDS, groups, strict=True) for name in group}


def _type(program: Program, name: str) -> str:
    node = program.node(name)
    return str(getattr(node, "held", node.type))
