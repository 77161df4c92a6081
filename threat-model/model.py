"""The system as a threat model: who writes what, which way data goes, and where trust changes.

`python threat-model/model.py` rewrites the two files beside it: `dataflow.dot`, which is the model itself
as pytm draws it, and `dataflow.svg`, the picture (needs graphviz).  The picture names the digest of the dot
file that it was drawn from, so a test can tell without graphviz that neither is stale.  The threats stand
in `threats.toml`; each names a process of this model.
"""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys

import pytm

HERE = os.path.dirname(os.path.abspath(__file__))


def describe() -> pytm.TM:
    """The whole model.  The same object graph, names and identifiers at every call."""
    state = random.getstate()
    pytm.TM.reset()
    try:
        return _describe()
    finally:
        # pytm seeds the global generator to get stable identifiers; nobody else should inherit that.
        random.setstate(state)


def _describe() -> pytm.TM:
    model = pytm.TM(
        "refseal",
        description="A resolver for coding agents' instruction files, in repositories that may be hostile.",
        isOrdered=False,
        mergeResponses=True,
    )

    hostile = pytm.Boundary("Written by anybody")
    machine = pytm.Boundary("This user's account")
    process = pytm.Boundary("refseal: one process, no network, writes nothing", inBoundary=machine)
    host = pytm.Boundary("Codex", inBoundary=machine)
    remote = pytm.Boundary("Model provider")

    author = pytm.Actor("Repository author", inBoundary=hostile)
    neighbour = pytm.Actor("Another local user", inBoundary=hostile)
    racer = pytm.Actor("A process that races", inBoundary=hostile)
    developer = pytm.Actor("Developer or CI job", inBoundary=machine)

    tree = pytm.Datastore("Repository tree", inBoundary=hostile, isSQL=False)
    main_tree = pytm.Datastore("Main worktree and git metadata", inBoundary=hostile, isSQL=False)
    home = pytm.Datastore("Codex home: overlay, config.toml, refseal.toml", inBoundary=machine, isSQL=False)
    transcript = pytm.Datastore("Session transcript", inBoundary=host, isSQL=False)
    plugin = pytm.Datastore("Installed plugin folder", inBoundary=machine, isSQL=False)

    guard = pytm.Process("path guard", inBoundary=process)
    worktree = pytm.Process("worktree linkage", inBoundary=process)
    tokenizer = pytm.Process("tokenizer", inBoundary=process)
    resolver = pytm.Process("resolver", inBoundary=process)
    renderer = pytm.Process("sealed renderer", inBoundary=process)
    hook = pytm.Process("hook", inBoundary=process)
    audit = pytm.Process("audit", inBoundary=process)
    build = pytm.Process("release", inBoundary=machine)

    codex = pytm.Process("Codex", inBoundary=host, inScope=False)
    model_server = pytm.Server("Model", inBoundary=remote, inScope=False)

    flows = (
        (author, tree, "clone, archive, pull request"),
        (author, main_tree, "forged .git files"),
        (neighbour, tree, "files in shared directories"),
        (racer, tree, "swaps files, directories, links"),
        (tree, guard, "names, links, bytes"),
        (main_tree, worktree, "gitdir, commondir, back-link"),
        (worktree, guard, "verified main root"),
        (home, guard, "the user's files and settings"),
        (transcript, guard, "what Codex loaded"),
        (guard, resolver, "file or typed refusal"),
        (resolver, tokenizer, "the text that is shown"),
        (tokenizer, resolver, "references, inert references"),
        (resolver, renderer, "documents, what was left out"),
        (renderer, hook, "one sealed block"),
        (resolver, audit, "every verdict with its reason"),
        (plugin, hook, "hook.py and the package"),
        (build, plugin, "installed copy"),
        (codex, hook, "payload on stdin, environment"),
        (hook, codex, "one JSON object, or nothing"),
        (codex, transcript, "session records"),
        (codex, model_server, "developer message"),
        (model_server, codex, "tool calls"),
        (codex, tree, "edits the model was talked into"),
        (audit, developer, "text, JSON, SARIF, annotations, HTML"),
        (developer, codex, "starts a session"),
    )
    for source, sink, name in flows:
        pytm.Dataflow(source, sink, name)
    return model


def processes() -> frozenset[str]:
    """The names of the processes that a threat may stand at."""
    model = describe()
    return frozenset(
        element.name for element in model._elements if isinstance(element, pytm.Process) and element.inScope
    )


def dot() -> str:
    """The model as a graphviz document."""
    model = describe()
    model.check()
    return "".join(
        f"{line}\n" for line in map(_portable, model.dfd().strip().splitlines()) if line is not None
    )


def _portable(line: str) -> str | None:
    """One line of pytm's drawing, without what only holds on the machine that drew it; None to drop it."""
    bare = line.strip()
    # A datastore is an image in pytm's own installation, its name beside it: draw a drum that holds its name.
    if bare.startswith(("image =", "imagescale", "fixedsize")) or bare == 'label = "";':
        return None
    if bare.startswith("xlabel ="):
        return line.replace("xlabel", "label").rstrip()
    if bare.startswith("label = <"):
        return line.replace("\\n", " ").rstrip()  # a line break is no line break in an HTML-like label
    return line.replace("shape = none;", "shape = cylinder;").rstrip()


def stamp(text: str) -> str:
    """The comment that ties a picture to the dot text it was drawn from."""
    return f"<!-- drawn from dataflow.dot sha256:{hashlib.sha256(text.encode()).hexdigest()} -->"


def main() -> int:
    """Write dataflow.dot and dataflow.svg."""
    text = dot()
    with open(os.path.join(HERE, "dataflow.dot"), "w", encoding="utf-8") as file:
        file.write(text)
    drawn = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=True).stdout
    with open(os.path.join(HERE, "dataflow.svg"), "w", encoding="utf-8") as file:
        file.write(drawn.rstrip("\n") + "\n" + stamp(text) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
