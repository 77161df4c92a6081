"""The host: what Codex says, what it has loaded, and what it will show."""
