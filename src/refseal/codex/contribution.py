"""What the instruction files of a session may contribute: nothing, if the user does not trust the project.

And if they may, the resolver set up for them, with what Codex has loaded of them itself.
"""

from __future__ import annotations

from refseal.codex.host_limit import host_limit
from refseal.codex.native import native_view
from refseal.resolve.expansion import Expansion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from refseal.codex.configuration import Configuration
    from refseal.codex.session import Session
    from refseal.resolve.scope import Scope
    from refseal.resolve.settings import Settings

UNTRUSTED: Final = "Your Codex configuration calls this project untrusted; nothing of it was added."
NOT_TRUSTED: Final = (
    "REFSEAL_REQUIRE_TRUST is set and your Codex configuration does not call this project trusted; "
    "nothing of it was added."
)
UNKNOWN: Final = (
    "Your Codex configuration could not be read, so it is not known whether this project is trusted; "
    "nothing of it was added."
)
"""What is said of a project that may not contribute, to the model and to the user."""


def expand(session: Session, spent: Callable[[], float]) -> Expansion:
    """Set the resolver up for what the session's scope has read, as far as the project may contribute.

    ``session.view`` and ``session.expansion`` are set, and the user is told of a project that may not.
    ``spent`` gives the seconds since the start.
    """
    scope, configuration, history = session.scope, session.configuration, session.history
    assert scope is not None and configuration is not None and history is not None  # noqa: S101, PT018
    refused = _refused(scope, session.settings, configuration)
    # Of a project without instruction files nothing is said, but no document of it enters the block either.
    said = [refused] if refused is not None and any(map(scope.is_of_project, scope.instructions)) else []
    session.view = native_view(
        scope.codex_home.project if scope.codex_home is not None else None,
        scope.chain,
        budget=configuration.budget,
        loaded=history.loaded,
        trusted=refused is None,
        notices=said,
    )
    limit = host_limit(history.version, session.settings.host_limit)
    session.messages += said
    session.expansion = Expansion(scope, session.view, session.settings, limit, spent)
    return session.expansion


def _refused(scope: Scope, settings: Settings, configuration: Configuration) -> str | None:
    """Return what is said of a project that may not contribute; else None."""
    if configuration.is_known and not (settings.require_trust or configuration.can_untrust()):
        return None
    if not scope.instructions:
        return None  # nothing that could contribute, or lead to it
    if not configuration.is_known:
        return UNKNOWN
    from refseal.codex.trust import Trust  # noqa: PLC0415 - few users have said anything of trust

    level = Trust(scope, configuration).of_documents()
    if settings.require_trust:
        return None if level == "trusted" else NOT_TRUSTED
    return UNTRUSTED if level == "untrusted" else None
