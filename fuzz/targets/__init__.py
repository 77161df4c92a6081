"""The targets.  `NAMES` is the one list of them."""

NAMES: tuple[str, ...] = ("pathguard", "seal", "transcript", "worktree")
