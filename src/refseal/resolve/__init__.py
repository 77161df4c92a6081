"""The resolver: scope, authority, order and budgets.  Policy alone; it knows no host.

settings     what the user configured: environment first, then refseal.toml
scope        which instruction files belong to a directory
instruction  one such file, and what the host says it has loaded of them
authority    what a document may reach
git_index    whether git tracks a file, read from the index
expansion    from scope to a resolution: order, depth, de-duplication, budgets, verdicts
kinds        which files are text by their name
reasons      every code, its verdict, and one line that describes it
"""
