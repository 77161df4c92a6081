"""The resolver: scope, authority, order and budgets.  Policy alone; it knows no host.

Data flows once, from left to right::

    settings      what the user configured, and the defaults
      setting_readers  how each is read that is set: environment, then file; toml_text: TOML, bounded
    locating      a directory -> the roots of its scope, open
      territory     what each root is to policy; authority: what a document in it may reach
      extra_roots   the directories that the user allows besides
    scope         the instruction files beneath those roots, read
      instruction   one such file
      home_links    files of Codex home that are links out of it
      main_worktree  what a linked worktree takes over from the main one
      tracking      whether git tracks an overlay; git_index: the bytes of git's index
    native_view   what the host says that it has loaded of them
    expansion     from scope to resolution: order, depth, de-duplication, budgets
      lookup        what a reference comes to on the disk; kinds: which files are text by their name
    resolution    what came of it: documents, verdicts, the block
      reasons       every code, its verdict, and one line that describes it
"""
