"""Whose files are read: a set of user ids."""

from __future__ import annotations

from refseal.system import os, variable


class Owners:
    """The users whose files and directories may be read; those of all others are ``foreign-owner``."""

    __slots__ = ("uids",)

    def __init__(self, uids: frozenset[int]) -> None:
        self.uids = uids

    @classmethod
    def of_process(cls) -> Owners:
        """Name the effective user, root and, for root alone, the user who called sudo.

        Only root believes ``SUDO_UID``: anybody else could have set it for themselves.
        """
        if not hasattr(os, "geteuid"):  # Windows, where every root is refused anyway
            return cls(frozenset())
        user = os.geteuid()
        uids = {user, 0}
        if user == 0:
            caller = variable("SUDO_UID")
            if caller.isascii() and caller.isdigit() and len(caller) <= 10:  # 2**32 has ten digits
                uids.add(int(caller))
        return cls(frozenset(uids))

    def including(self, *uids: int) -> Owners:
        """Return these owners and ``uids``: those of the project root, of cwd, of its ``.git``."""
        return Owners(self.uids.union(uids))

    def trusts(self, uid: int) -> bool:
        """Whether what belongs to ``uid`` may be read."""
        return uid in self.uids
