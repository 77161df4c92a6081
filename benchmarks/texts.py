"""Ordinary Markdown, made: the same text for the same size on every machine."""

from __future__ import annotations

import random

WORDS = (  # noqa: SIM905 - easier to read as words than as strings
    "the build runs on every push and uses a cache so that tests finish early when nothing changed please"
    " read this first before you edit files in the module handlers are registered at start up"
).split()


def sentence(rng: random.Random, words: int) -> str:
    """Return so many words with a full stop."""
    return " ".join(rng.choice(WORDS) for _ in range(words)).capitalize() + "."


def block(rng: random.Random) -> str:
    """Return one ordinary block: heading, paragraph, list, code, table, quote, HTML or numbered steps."""
    kind = rng.random()
    if kind < 0.12:
        return "#" * rng.randint(1, 4) + " " + sentence(rng, 4)[:-1]
    if kind < 0.45:
        return "\n".join(sentence(rng, rng.randint(9, 14)) for _ in range(rng.randint(1, 5)))
    if kind < 0.7:
        heads = ("- **Note**: ", "- `npm run x` ", "- ", "- ", "  - ")
        return "\n".join(
            rng.choice(heads) + sentence(rng, rng.randint(5, 12)) for _ in range(rng.randint(2, 8))
        )
    if kind < 0.8:
        lines = [f"x = call({line})  # {sentence(rng, 3)}" for line in range(rng.randint(2, 12))]
        return "\n".join(["```" + rng.choice(["sh", "python", ""]), *lines, "```"])
    if kind < 0.86:
        rows = [f"| `{rng.choice(WORDS)}` | {sentence(rng, 5)} |" for _ in range(rng.randint(2, 6))]
        return "\n".join(["| Name | What |", "|------|------|", *rows])
    if kind < 0.9:
        return f"> {sentence(rng, 12)}\n> {sentence(rng, 8)}"
    if kind < 0.93:
        return f"[link](https://example.com/a) and `code` with <b>bold</b> {sentence(rng, 10)}"
    if kind < 0.95:
        return f"<details>\n<summary>{sentence(rng, 3)}</summary>\n\n{sentence(rng, 12)}\n\n</details>"
    return f"1. {sentence(rng, 9)}\n2. {sentence(rng, 8)}\n\n   {sentence(rng, 10)}"


def ordinary(size: int, every: int) -> str:
    """Return ordinary Markdown with a reference about every so many bytes."""
    rng = random.Random(7)
    references = (
        "See @docs/guide.md for details.",
        "(@docs/core.md)",
        "Read `config.toml` and @docs/setup.md first.",
    )
    blocks = []
    length = since = 0
    while length < size:
        text = block(rng)
        since += len(text)
        while since > every:
            text += ("\n\n" if text.endswith(("```", "|", ">")) else " ") + rng.choice(references)
            since -= every
        blocks.append(text)
        length += len(text) + 2
    return "\n\n".join(blocks)
