"""The tokenizer: what a Markdown reader sees as prose, and nothing else.

Data flows once, from left to right::

    references   text -> each `@` that may begin a reference, and where its path ends
    blocks       -> the run of prose that each stands in, or the code or comment that hides it
      glance       what can be told without reading every line; markers: of fences and list items
      html         which tags begin a block, and where a tag ends
      layout       what blocks hands on
    inlines      -> the code span, comment or tag that hides it within its run; links: the parts of a link
    tokens       -> references, inert references and hints
    reading      `tokenize`: the path through all of them
"""

from __future__ import annotations

from refseal.tokenizer.reading import tokenize
from refseal.tokenizer.tokens import Hint, Inert, Reference, Tokens

__all__ = ["Hint", "Inert", "Reference", "Tokens", "tokenize"]
