"""The path guard: no byte comes from outside the roots, whatever anybody does meanwhile."""
