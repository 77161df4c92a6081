"""What to say in a session that may have heard us before.

One rule for every event (a start, a resumption, a fork, a compaction, a cleared session, a subagent):
compare what is to be said with the last thing we said that the model still sees.  A compaction drops hook
messages, so the transcript then has none in the effective history; a fork and a subagent with full history
have their parent's.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from refseal.codex.history import History


def message_for(block: str | None, history: History) -> str | None:
    """Return the text to add to the session, or None.

    ``block`` is what belongs there now, None if nothing does.  The same bytes are not said twice in a row;
    a block that no longer holds is withdrawn in one line, once.  Only the *last* message counts: a block
    that another one replaced, or a withdrawal took back, is said again when it holds again.
    """
    if block is not None:
        return None if history.block == block else block
    if history.block is None:
        return None
    from refseal.seal.withdrawal import is_withdrawal, withdrawal  # noqa: PLC0415 - most sessions need neither

    return None if is_withdrawal(history.block) else withdrawal()
