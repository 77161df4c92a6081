"""What is said in a session that may have heard us before."""

from __future__ import annotations

from refseal.codex.history import History
from refseal.codex.lifecycle import message_for
from refseal.codex.transcript import MARK
from refseal.seal.withdrawal import withdrawal

BLOCK = MARK + "sha256:a -->\n\nblock"
OTHER = MARK + "sha256:b -->\n\nother"


def test_a_block_is_said_once() -> None:
    assert message_for(BLOCK, History()) == BLOCK
    assert message_for(BLOCK, History(BLOCK)) is None


def test_a_block_that_changed_is_said() -> None:
    assert message_for(BLOCK, History(OTHER)) == BLOCK


def test_nothing_to_say_withdraws_an_earlier_block_once() -> None:
    assert message_for(None, History(BLOCK)) == withdrawal()
    assert message_for(None, History(withdrawal())) is None
    assert message_for(None, History()) is None


def test_a_withdrawn_block_is_said_again() -> None:
    assert message_for(BLOCK, History(withdrawal())) == BLOCK


def test_a_withdrawal_is_a_message_of_ours_in_one_line() -> None:
    assert withdrawal().startswith(MARK)
    assert "\n" not in withdrawal()
