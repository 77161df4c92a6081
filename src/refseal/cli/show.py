"""``refseal show``: what the hook would inject into a session that starts in a directory."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from refseal.codex.host_limit import host_limit
from refseal.codex.session import Session, session_in
from refseal.seal import escape

if TYPE_CHECKING:
    from rich.tree import Tree

    from refseal.resolve.resolution import Resolution

SCHEMA = "refseal.show/1"
"""Version of the JSON: fields may be added to it, never renamed, removed or changed in meaning."""

_UNWRAPPED = 20_000
"""Columns: wider than the longest path with the longest tree in front of it."""


@click.command()
@click.argument("path", default=".", type=click.Path(exists=True, file_okay=False))
@click.option(
    "--format",
    "form",
    type=click.Choice(["block", "tree", "json"]),
    default="block",
    help="The block itself, byte for byte (default); who pulls in what; or everything, for programs.",
)
@click.option(
    "--transcript",
    type=click.Path(exists=True, dir_okay=False),
    help="A session's transcript: the block is then what that session would get.",
)
def show(path: str, form: str, transcript: str | None) -> None:
    """Print what a Codex session that starts in PATH (default: here) would get from the hook.

    Reads the same settings as the hook does: the environment, and refseal.toml and config.toml in Codex
    home.  With nothing to inject, standard output stays empty and a line on standard error says so.
    """
    directory = os.path.abspath(path)
    session = session_in(
        directory, os.environ, transcript=None if transcript is None else os.path.abspath(transcript)
    )
    try:
        for message in session.messages:
            click.echo(f"refseal: {escape(message, 1_000)}", err=True)
        if form == "json":
            click.echo(json.dumps(_as_json(directory, session), indent=2))
        elif session.block is None:
            click.echo(f"refseal: nothing to inject in {escape(directory, 1_000)}", err=True)
        elif form == "block":
            # Byte for byte; a line end is added for people alone.
            click.echo(session.block, nl=sys.stdout.isatty())
        else:
            _print_tree(directory, session)
    finally:
        session.close()


def _tokens(text: str) -> int:
    """Return the size of ``text`` as Codex counts it: four UTF-8 bytes a token, rounded up."""
    return -(-len(text.encode("utf-8", "surrogateescape")) // 4)


def _limit(session: Session) -> int:
    version = None if session.history is None else session.history.version
    return host_limit(version, session.settings.host_limit)


def _as_json(directory: str, session: Session) -> dict[str, Any]:
    resolution, block = session.resolution, session.block
    answer: dict[str, Any] = {
        "schema": SCHEMA,
        "cwd": escape(directory, 4_096),
        "limit": _limit(session),
        "tokens": 0 if block is None else _tokens(block),
        "block": block,
        "native": [],
        "documents": [],
        "references": [],
        "left_out": [],
        "messages": [escape(message, 1_000) for message in session.messages],
    }
    if resolution is None:
        return answer
    if session.view is not None:
        answer["native"] = [escape(entry.instruction.path, 4_096) for entry in session.view.loaded]
    cut = set() if resolution.block is None else {document.path for document in resolution.block.cut}
    answer["documents"] = [
        {
            "path": escape(source.path, 4_096),
            "section": "inherited" if source.section == "native" else source.section,
            "depth": source.depth,
            "tokens": _tokens(source.text),
            "whole": source.path not in cut,
            "chain": [escape(step, 4_096) for step in source.chain[:-1]],
        }
        for source in resolution.documents
    ]
    answer["references"] = [
        {
            "source": escape(resolved.source.path, 4_096),
            "line": resolved.reference.line,
            "column": resolved.reference.column,
            "target": escape(resolved.reference.path, 4_096),
            "resolved": None if resolved.resolved is None else escape(resolved.resolved, 4_096),
            "verdict": resolved.verdict,
            "reason": resolved.reason,
            "depth": resolved.depth,
        }
        for resolved in resolution.references
    ]
    answer["left_out"] = [
        {
            "target": escape(left_out.target, 4_096),
            "source": None if left_out.source is None else escape(left_out.source, 4_096),
            "reason": left_out.reason,
        }
        for left_out in resolution.left_out
    ]
    return answer


def _print_tree(directory: str, session: Session) -> None:
    from rich.console import Console  # noqa: PLC0415 - the block and JSON need no rich
    from rich.text import Text  # noqa: PLC0415
    from rich.tree import Tree  # noqa: PLC0415

    resolution, block = session.resolution, session.block
    assert resolution is not None  # noqa: S101 - there is a block
    assert block is not None  # noqa: S101
    tree = Tree(
        Text.assemble(
            (escape(directory, 4_096), "bold"),
            f"  {_tokens(block):,} of {_limit(session):,} tokens",
        )
    )
    _grow(tree, resolution, session)
    # A pipe has no width: nothing is wrapped there.
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _UNWRAPPED)
    console.print(tree)


def _name(path: str, session: Session) -> str:
    """Return a path for people: from the project root on where it lies beneath it."""
    root = "" if session.scope is None else session.scope.project_root.rstrip("/") + "/"
    return escape(path.removeprefix(root), 4_096)


def _grow(tree: Tree, resolution: Resolution, session: Session) -> None:
    """Hang every source below who pulled it in, and below it its references that were not included."""
    from rich.text import Text  # noqa: PLC0415

    branches: dict[str, Tree] = {}
    native = set() if session.view is None else {id(entry.instruction) for entry in session.view.loaded}
    cut = set() if resolution.block is None else {document.path for document in resolution.block.cut}
    in_block = {source.path for source in resolution.documents}
    for source in resolution.sources:
        label = Text(_name(source.path, session))
        if source.path in in_block:
            kind = "restored" if source.section == "native" else source.section
            label.append(f"  {kind}, {_tokens(source.text):,} tokens", "green")
            if source.path in cut:
                label.append(", cut", "yellow")
        else:
            label.append("  native: Codex has loaded it", "dim")
        parent = tree if len(source.chain) < 2 else branches.get(source.chain[-2], tree)
        branches[source.path] = parent.add(label)
    for entry in () if session.view is None else session.view.loaded:
        if entry.instruction.path not in branches and id(entry.instruction) in native:
            label = Text(_name(entry.instruction.path, session))
            branches[entry.instruction.path] = tree.add(label.append("  native: Codex has loaded it", "dim"))
    for resolved in resolution.references:
        if resolved.reason != "included":
            colour = "red" if resolved.verdict == "blocked" else "yellow"
            where = f"{resolved.reference.line}:{resolved.reference.column} "
            label = Text.assemble((where, "dim"), "@" + escape(resolved.reference.path, 4_096))
            branches[resolved.source.path].add(
                label.append(f"  {resolved.verdict}: {resolved.reason}", colour)
            )
    for left_out in resolution.left_out:
        if left_out.source is None:
            label = Text(_name(left_out.target, session))
            tree.add(label.append(f"  not included: {left_out.reason}", "red"))
    for notice in resolution.notices:
        tree.add(Text(escape(notice, 1_000), "yellow"))
