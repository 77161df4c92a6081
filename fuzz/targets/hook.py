"""Property: whatever a repository holds, the hook answers one strict JSON object or nothing, and no secret.

A hostile project (instruction files, documents, links) is decoded from the bytes.  The block reads back and
fits the limit; the same question has the same answer; and nothing is said twice to one session
(`fuzz.properties.session`).
"""

from __future__ import annotations

from fuzz.choices import Choices
from fuzz.properties.session import LIMITS, World, answers_soundly


def check(data: bytes) -> None:
    """Write one project and start a session in it."""
    choices = Choices(data)
    limit = choices.pick(LIMITS)
    event = choices.pick(("SessionStart", "SubagentStart"))
    cwd = choices.pick(("", "sub", "docs", "link", 'd"<x>'))
    with World() as world:
        world.attack(choices)
        answers_soundly(world, cwd, limit, event)
