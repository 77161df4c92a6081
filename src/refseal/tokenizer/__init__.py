"""The tokenizer: what a Markdown reader sees as prose, and nothing else."""

from __future__ import annotations

from refseal.tokenizer.reading import tokenize
from refseal.tokenizer.tokens import Hint, Inert, Reference, Tokens

__all__ = ["Hint", "Inert", "Reference", "Tokens", "tokenize"]
