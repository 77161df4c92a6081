"""The checks, one a file: each takes the surroundings and yields findings, at least one."""
