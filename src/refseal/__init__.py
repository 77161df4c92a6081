"""refseal: a sandboxed resolver for the instruction files of coding agents.

Data flows once, from left to right::

    pathguard   the only door to the disk: no byte comes from outside the roots
    tokenizer   text -> references, as a Markdown reader sees prose
    resolve     policy: scope, authority, order, budgets; no host
    seal        documents -> block -> documents, and no text outside its own pair of tags
    codex       the host: payload, transcript, configuration, native files, the hook
    audit       the hook's resolver, explained
    doctor      why the hook has no effect; overlay: an `AGENTS.local.md` made here
    cli         thin

Beneath all of them: `codepoints`, what characters are, and `system`, the calls to the kernel.

Imports only run downwards: cli -> audit, doctor, overlay -> codex -> resolve -> pathguard, tokenizer, seal.
Everything below ``audit`` needs the standard library alone.
"""

__version__ = "0.1.0"
