"""The reference graph as inline SVG: who pulls in what, from left to right, coloured by verdict."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape as html_escape
from typing import TYPE_CHECKING

from refseal.audit.quoting import for_people, path_shown

if TYPE_CHECKING:
    from refseal.audit.results import Reference, Repository

MAXIMUM_NODES = 120
"""In one picture: more do not fit on a page that anybody looks at; the table below it has all of them."""
MAXIMUM_EDGES = 400

_WIDTH, _HEIGHT = 232, 28
_COLUMN, _ROW = 340, 42
_MARGIN = 16
_CHARACTERS = 32
_AROUND = 44

_ORDER = {"blocked": 0, "included": 1, "skipped": 2, "inert": 3}
"""Which verdict a node is coloured by if references to it differ: the one that matters most."""


@dataclass(slots=True)
class Node:
    """One box: a document, or the target of a reference that leads to none."""

    label: str
    verdict: str
    layer: int
    title: str
    row: int = 0
    children: list[str] = field(default_factory=list)


def draw(repository: Repository) -> str:
    """Return the picture as one SVG element; an empty string if there is no reference."""
    nodes, edges, left_out = _graph(repository.references)
    if not nodes:
        return ""
    layers: dict[int, list[Node]] = {}
    for node in nodes.values():
        layers.setdefault(node.layer, []).append(node)
    _arrange(nodes, layers)
    columns = {layer: number for number, layer in enumerate(sorted(layers))}
    width = 2 * _MARGIN + _AROUND + (len(columns) - 1) * _COLUMN + _WIDTH
    height = 2 * _MARGIN + max(node.row for node in nodes.values()) * _ROW + _HEIGHT

    def corner(node: Node) -> tuple[int, int]:
        return _MARGIN + columns[node.layer] * _COLUMN, _MARGIN + node.row * _ROW

    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    name = 'role="img" aria-label="Reference graph"'
    parts = [f'<svg class="graph" {name} {size} xmlns="http://www.w3.org/2000/svg">']
    parts += [_edge(corner(nodes[a]), corner(nodes[b]), verdict, title) for a, b, verdict, title in edges]
    parts += [_box(corner(node), node) for node in nodes.values()]
    parts.append("</svg>")
    if left_out:
        parts.append(
            f'<p class="note">{left_out} more references are not in the picture; the table has them.</p>'
        )
    return "\n".join(parts)


def _graph(references: list[Reference]) -> tuple[dict[str, Node], list[tuple[str, str, str, str]], int]:
    nodes: dict[str, Node] = {}
    edges: dict[tuple[str, str, str], str] = {}
    left_out = 0
    for reference in sorted(references, key=lambda one: (one.depth, _ORDER[one.verdict])):
        source = "d" + reference.source
        target = "d" + reference.resolved if reference.resolved is not None else "t" + reference.target
        new = (source not in nodes) + (target not in nodes)
        if len(nodes) + new > MAXIMUM_NODES or len(edges) >= MAXIMUM_EDGES:
            left_out += 1
            continue
        layer = max(reference.depth - 1, 0)
        if source not in nodes:
            nodes[source] = Node(reference.source, "instruction", layer, _path(reference.source))
        told = (
            reference.verdict
            if reference.verdict == reference.reason
            else f"{reference.verdict}: {reference.reason}"
        )
        if target not in nodes:
            label = reference.resolved if reference.resolved is not None else "@" + reference.target
            nodes[target] = Node(label, reference.verdict, layer + 1, f"{_path(label)} ({told})")
        elif _ORDER.get(reference.verdict, 9) < _ORDER.get(nodes[target].verdict, -1):
            nodes[target].verdict = reference.verdict
        if target not in nodes[source].children:
            nodes[source].children.append(target)
        place = f"{_path(reference.source)}:{reference.line} {_path(reference.target)} ({told})"
        edges.setdefault((source, target, reference.verdict), place)
    return nodes, [(a, b, verdict, title) for (a, b, verdict), title in edges.items()], left_out


def _arrange(nodes: dict[str, Node], layers: dict[int, list[Node]]) -> None:
    """Give each node a row: each layer in the order in which the one before it points there."""
    for layer in sorted(layers):
        rank: dict[int, int] = {}
        for node in layers.get(layer - 1, ()):
            for child in node.children:
                rank.setdefault(id(nodes[child]), len(rank))
        layers[layer].sort(key=lambda node: rank.get(id(node), len(rank)))
        for row, node in enumerate(layers[layer]):
            node.row = row


def _edge(start: tuple[int, int], end: tuple[int, int], verdict: str, title: str) -> str:
    y1, y2 = start[1] + _HEIGHT // 2, end[1] + _HEIGHT // 2
    if end[0] > start[0]:
        x1, x2 = start[0] + _WIDTH, end[0]
        bend = (x2 - x1) // 2
    elif end[0] < start[0]:  # back to an earlier column: a cycle, or a file that is also referenced deeper
        x1, x2 = start[0], end[0] + _WIDTH
        bend = (x2 - x1) // 2
    else:  # to itself or a neighbour: around the right side
        x1 = x2 = start[0] + _WIDTH
        bend = _AROUND
    back = -bend if end[0] != start[0] else bend
    path = f"M{x1} {y1} C{x1 + bend} {y1}, {x2 + back} {y2}, {x2} {y2}"
    return f'<path class="edge {verdict}" d="{path}"><title>{html_escape(title)}</title></path>'


def _box(corner: tuple[int, int], node: Node) -> str:
    x, y = corner
    shown = _path(node.label)
    if len(shown) > _CHARACTERS:
        shown = shown[: _CHARACTERS // 2 - 1] + "…" + shown[-_CHARACTERS // 2 :]
    return (
        f'<g class="node {node.verdict}"><title>{html_escape(node.title)}</title>'
        f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>'
        f'<text x="{x + 9}" y="{y + 18}">{html_escape(shown)}</text></g>'
    )


def _path(path: str) -> str:
    return for_people(path_shown(path))
