"""The reference graph as inline SVG: who pulls in what, from left to right, coloured by verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape as html_escape
from typing import TYPE_CHECKING

from refseal.audit.quoting import for_people, path_shown

if TYPE_CHECKING:
    from refseal.audit.results import Reference, Repository

MAX_NODES = 240
"""In one picture: more do not fit on a page that anybody looks at; the table below it has all of them."""
MAX_EDGES = 800
"""Lines in one picture: above three for each box nobody can follow one."""

DENSE = 120
"""Lines from which on they are drawn paler, so that boxes and single lines stay clear."""


_PAGE = 1160
"""Width that a picture fills at most, if its boxes can be that small: a window of 1280 without margins.  With
the default depth of five there are seven columns, and they fit."""
_NARROWEST, _WIDEST = 120, 232
_HEIGHT = 40
_GAP_SHARE = 0.25
"""Of the width of a column that is left for the lines."""
_ROW = 52
_MARGIN = 16
_AROUND = 36
_CHARACTER = 6.7
"""Width of a character of the labels, in a font in which all are the same."""
_SWEEPS = 12
"""Times that the layers are put in order by their neighbours, to and fro: more change little."""

_ORDER = {"blocked": 0, "included": 1, "skipped": 2, "inert": 3}
"""Which verdict a node is coloured by if references to it differ: the one that matters most."""


@dataclass(slots=True)
class Node:
    """One box: a document, or the target of a reference that leads to none.

    ``row``         where it stands in its column, in rows from the top; neighbours are one row apart at least
    ``neighbours``  what it is joined to, by key
    """

    label: str
    verdict: str
    layer: int
    title: str
    number: int
    row: float = 0.0
    neighbours: list[str] = field(default_factory=list)


def draw(repository: Repository) -> str:
    """Return the picture as one SVG element with its style; an empty string if there is no reference.

    Whoever points at a box sees its own lines alone, without a script.
    """
    nodes, edges, left_out = _graph(repository.references)
    if not nodes:
        return ""
    _arrange(nodes)
    layers = sorted({node.layer for node in nodes.values()})
    columns = {layer: number for number, layer in enumerate(layers)}
    step = min(_WIDEST / (1 - _GAP_SHARE), (_PAGE - 2 * _MARGIN - _AROUND) / (len(layers) - _GAP_SHARE))
    box = max(_NARROWEST, step * (1 - _GAP_SHARE))
    step = max(step, box / (1 - _GAP_SHARE))
    width = 2 * _MARGIN + _AROUND + (len(layers) - 1) * step + box
    height = 2 * _MARGIN + max(node.row for node in nodes.values()) * _ROW + _HEIGHT

    def corner(node: Node) -> tuple[float, float]:
        return _MARGIN + columns[node.layer] * step, _MARGIN + node.row * _ROW

    size = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    name = 'role="img" aria-label="Reference graph"'
    parts = [
        f'<svg class="graph{" dense" if len(edges) > DENSE else ""}" {name} {size} xmlns="http://www.w3.org/2000/svg">',
        _pointing(len(nodes)),
    ]
    for source, target, verdict, title in edges:
        start, end = nodes[source], nodes[target]
        joins = f"j{start.number} j{end.number}"
        parts.append(_edge(corner(start), corner(end), box, f"edge {verdict} {joins}", title))
    parts += [_box(corner(node), box, node) for node in nodes.values()]
    parts.append("</svg>")
    if left_out:
        parts.append(
            f'<p class="note">{left_out} more references are not in the picture; the table has them.</p>'
        )
    return "\n".join(parts)


def _pointing(count: int) -> str:
    """Return the rules that fade every line but those of the box that somebody points at."""
    rules = (f".graph:has(.n{number}:hover) .edge:not(.j{number}){{opacity:.06}}" for number in range(count))
    return f"<style>{''.join(rules)}</style>"


def _graph(references: list[Reference]) -> tuple[dict[str, Node], list[tuple[str, str, str, str]], int]:
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], str] = {}
    left_out = 0
    for reference in sorted(references, key=lambda one: (one.depth, _ORDER[one.verdict])):
        source = "d" + reference.source
        target = "d" + reference.resolved if reference.resolved is not None else "t" + reference.target
        new = (source not in nodes) + (target not in nodes)
        if len(nodes) + new > MAX_NODES or len(edges) >= MAX_EDGES:
            left_out += 1
            continue
        layer = max(reference.depth - 1, 0)
        if source not in nodes:
            nodes[source] = Node(reference.source, "instruction", layer, _path(reference.source), len(nodes))
        told = (
            reference.verdict
            if reference.verdict == reference.reason
            else f"{reference.verdict}: {reference.reason}"
        )
        if target not in nodes:
            label = reference.resolved if reference.resolved is not None else "@" + reference.target
            title = f"{_path(label)} ({told})"
            nodes[target] = Node(label, reference.verdict, layer + 1, title, len(nodes))
        elif _ORDER.get(reference.verdict, 9) < _ORDER.get(nodes[target].verdict, -1):
            nodes[target].verdict = reference.verdict
        if target != source and target not in nodes[source].neighbours:
            nodes[source].neighbours.append(target)
            nodes[target].neighbours.append(source)
        place = f"{_path(reference.source)}:{reference.line} {_path(reference.target)} ({told})"
        edges.setdefault((source, target, reference.verdict), place)
    return nodes, [(a, b, verdict, title) for (a, b, verdict), title in edges.items()], left_out


def _arrange(nodes: dict[str, Node]) -> None:
    """Give each node a row near those of its neighbours in other columns."""
    layers: dict[int, list[Node]] = {}
    for node in nodes.values():
        node.row = len(layers.setdefault(node.layer, []))
        layers[node.layer].append(node)
    forth = sorted(layers)
    for sweep in range(_SWEEPS):
        for layer in forth if sweep % 2 == 0 else reversed(forth):
            wanted = {node.number: _wanted_row(node, nodes) for node in layers[layer]}
            layers[layer].sort(key=lambda node: (wanted[node.number], node.row))
            _spread(layers[layer], [wanted[node.number] for node in layers[layer]])
    top = min(node.row for node in nodes.values())
    for node in nodes.values():
        node.row -= top


def _wanted_row(node: Node, nodes: dict[str, Node]) -> float:
    rows = [nodes[key].row for key in node.neighbours if nodes[key].layer != node.layer]
    return sum(rows) / len(rows) if rows else node.row


def _spread(column: list[Node], wanted: list[float]) -> None:
    """Set the rows of a column, in its order: one apart at least, and as near to the wanted ones as can be.

    Nodes that would overlap become one group around the mean of what its members want (the pool of adjacent
    violators, for rows less their index).
    """
    groups: list[tuple[float, int]] = []  # sum of what its members want, and their number
    for index, row in enumerate(wanted):
        total, count = row - index, 1
        while groups and groups[-1][0] / groups[-1][1] > total / count:
            more, members = groups.pop()
            total, count = total + more, count + members
        groups.append((total, count))
    index = 0
    for total, count in groups:
        for _ in range(count):
            column[index].row = total / count + index
            index += 1


def _edge(start: tuple[float, float], end: tuple[float, float], box: float, classes: str, title: str) -> str:
    y1, y2 = start[1] + _HEIGHT / 2, end[1] + _HEIGHT / 2
    if end[0] > start[0]:
        x1, x2 = start[0] + box, end[0]
        bend = back = (x2 - x1) / 2
    elif end[0] < start[0]:  # back to an earlier column: a cycle, or a file that is also referenced deeper
        x1, x2 = start[0], end[0] + box
        bend = back = (x2 - x1) / 2
    else:  # to itself or a neighbour: around the right side
        x1 = x2 = start[0] + box
        bend, back = _AROUND, -_AROUND
    path = f"M{x1:.1f} {y1:.1f} C{x1 + bend:.1f} {y1:.1f}, {x2 - back:.1f} {y2:.1f}, {x2:.1f} {y2:.1f}"
    return f'<path class="{classes}" d="{path}"><title>{html_escape(title)}</title></path>'


def _box(corner: tuple[float, float], box: float, node: Node) -> str:
    x, y = corner
    directory, slash, name = _path(node.label).rpartition("/")
    characters = int((box - 18) / _CHARACTER)
    lines = [(name or "/", 17 if slash else 24, "")]
    if slash:
        lines.append((f"{directory}/", 32, ' class="above"'))
    texts = "".join(
        f'<text{kind} x="{x + 9:.1f}" y="{y + below:.1f}">{html_escape(_cut(line, characters))}</text>'
        for line, below, kind in lines
    )
    return (
        f'<g class="node {node.verdict} n{node.number}"><title>{html_escape(node.title)}</title>'
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{box:.1f}" height="{_HEIGHT}" rx="5"/>{texts}</g>'
    )


def _cut(text: str, characters: int) -> str:
    """Cut a text in its middle: the beginning and the end tell more."""
    if len(text) <= characters:
        return text
    head = (characters - 1) // 2
    return text[:head] + "\u2026" + text[len(text) - (characters - 1 - head) :]


def _path(path: str) -> str:
    return for_people(path_shown(path))
