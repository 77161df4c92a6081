"""The sealed renderer: every text that a repository supplies is inside exactly one pair of its own tags."""
