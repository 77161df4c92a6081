"""The targets.  `NAMES` is the one list of them."""

NAMES: tuple[str, ...] = (
    "audit", "configuration", "hook", "pathguard", "seal", "tokenizer", "transcript", "worktree",
)  # fmt: skip
