"""The targets.  `NAMES` is the one list of them."""

NAMES: tuple[str, ...] = ("configuration", "pathguard", "seal", "transcript", "worktree")
