"""How fast the renderer is, and that its time grows with the text and not faster.

Reading, showing what is hidden and sealing, all in one process, for texts of several kinds.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.rows import Row
from refseal.seal import Composition, Document, LeftOut, NativeFile, decode, escape

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PER_DOUBLING = 2.4

AMPLE = 10**8
REPEATS = 5

KINDS = {
    "English": "Run the tests before you push, and read the style guide.\n",
    "CR LF": "Run the tests before you push, and read the style guide.\r\n",
    "Chinese": "提交之前请先运行测试,并阅读风格指南。\n",
    "Persian": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0627\u06cc\u0646 \u0631\u0627\n",
    "emoji": "All good \u2764\ufe0f, \U0001f469\u200d\U0001f4bb and on.\n",
    "all hidden": "\U000e0041\U000e0042\u202e",
    "256 tags": "".join(chr(0xE0000 + code) for code in range(256)),
    "no line end": "x",
    "invalid bytes": "\udcff\udcfe",
}


def render(data: bytes) -> int:
    """Render one document of ``data`` and return the size of the block."""
    decoded = decode(data)
    composition = Composition(AMPLE)
    composition.add(Document("overlay", "AGENTS.local.md", decoded.text, invalid=decoded.invalid))
    block = composition.finish()
    assert block is not None
    return len(block.text)


def seconds(data: bytes) -> float:
    """Give the best of some runs."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        render(data)
        best = min(best, time.process_time() - start)
    return best


def block_of_the_default_size() -> float:
    """Give the seconds for a block as a hook has it: 2,500 tokens, 34 documents, 40 names."""
    text = "Run the tests before you push, and read the style guide.\n"
    best = float("inf")
    for _ in range(20):
        start = time.process_time()
        composition = Composition(2500, [NativeFile(f"{n}/AGENTS.md", "# Rules") for n in range(8)])
        for number in range(34):
            shown = composition.add(Document("referenced", f"docs/{number}.md", text * 12))
            if not shown.included:
                composition.leave_out(LeftOut(f"docs/{number}.md", "AGENTS.local.md", "host-limit"))
        composition.finish()
        best = min(best, time.process_time() - start)
    return best


def renderer() -> Iterator[Row]:
    """Render 1 MiB and 4 MiB of each kind, then a block and a name as a hook has them."""
    for name, piece in KINDS.items():
        unit = piece.encode("utf-8", "surrogateescape")
        large, larger = (unit * (size // len(unit)) for size in (2**20, 2**22))
        one, four = seconds(large), seconds(larger)
        yield Row(
            "renderer, for a doubling",
            name,
            (four / one) ** 0.5,
            at_most=MOST_PER_DOUBLING,
            detail=f"{len(large) / one / 1e6:.1f} MB/s",
        )
    yield Row("renderer", "a block of 2,500 tokens, 34 documents", block_of_the_default_size() * 1e3, "ms")
    start = time.process_time()
    for number in range(10_000):
        escape(f"docs/guides/chapter-{number}.md")
    yield Row("renderer", "a plain name escaped", (time.process_time() - start) * 100, "us")
