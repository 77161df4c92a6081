"""The targets.  `NAMES` is the one list of them."""

NAMES: tuple[str, ...] = ("configuration", "hook", "pathguard", "seal", "transcript", "worktree")
