"""What one run of prose hides: code spans, comments and tags, decided from left to right."""

from __future__ import annotations

from refseal.tokenizer import html, links

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container

_SCHEME = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-"
_LETTERS = frozenset(_SCHEME[:52])
_HOST = _SCHEME[:62] + "-"
_MAILBOX = _SCHEME[:62] + ".!#$%&'*+/=?^_`{|}~-"

_LONGEST_SCHEME = 32
_LONGEST_HOST_LABEL = 63


def classify(
    text: str, offsets: list[int], labels: Callable[[], Container[str]], *, is_paragraph: bool
) -> list[str]:
    """Say for each of the sorted ``offsets`` what hides it in this run of prose: a reason, or "" for nothing.

    ``labels`` gives the labels of the document's link reference definitions; it is asked only if one of them
    could matter.  A paragraph may begin with definitions of its own.
    """
    head = text[: offsets[-1] + 1]  # with the last stop: a mark belongs to what it opens
    if "`" not in head and "<" not in head:
        return [""] * len(offsets)
    start = 0
    if is_paragraph and text.startswith("["):
        start, _ = links.definitions(text)
    return _Scan(text, offsets, labels).run(start)


class _Scan:
    __slots__ = (
        "ahead",
        "barrier",
        "brackets",
        "destinations",
        "done",
        "followed",
        "labels",
        "offsets",
        "reasons",
        "runs",
        "text",
    )

    def __init__(self, text: str, offsets: list[int], labels: Callable[[], Container[str]]) -> None:
        self.text = text
        self.offsets = offsets
        self.labels = labels
        self.reasons = [""] * len(offsets)
        self.done = 0  # offsets before this index are decided
        self.brackets: list[int] = []  # where a link may begin; an image, if the number is below 0
        self.followed: list[bool] = []  # for each, whether another followed it
        self.barrier = 0  # brackets below this index lie around a link and can no longer open one themselves
        self.ahead: dict[
            str, int
        ] = {}  # where each ending was last found, so that none is searched for twice
        self.runs: dict[int, int] | None = None  # where the last of each length begins
        self.destinations: links.Destinations | None = None

    def run(self, here: int) -> list[str]:
        text = self.text
        size = len(text)
        last = self.offsets[-1]
        specials = "\\`<[]" if "](" in text or "][" in text else "\\`<"
        places = [text.find(char, here) for char in specials]
        while True:
            at = size
            which = -1
            for index, place in enumerate(places):
                if place < 0:
                    continue
                if place < here:
                    place = places[index] = text.find(specials[index], here)  # noqa: PLW2901 - kept in step
                    if place < 0:
                        continue
                if place < at:
                    at = place
                    which = index
            if which < 0 or at > last:
                return self.reasons
            if which == 0:
                here = at + 2
            elif which == 1:
                here = self._ticks(at)
            elif which == 2:
                here = self._angle(at)
            elif which == 3:
                if self.followed:
                    self.followed[-1] = True
                self.followed.append(False)
                is_image = at > here and text[at - 1] == "!"
                self.brackets.append(~at if is_image else at)
                here = at + 1
            else:
                here = self._close(at)

    def _hide(self, start: int, end: int, reason: str) -> None:
        offsets = self.offsets
        index = self.done
        while index < len(offsets) and offsets[index] < end:
            if offsets[index] >= start:
                self.reasons[index] = reason
            index += 1
        self.done = index

    def _find(self, ending: str, at: int) -> int:
        """Find ``ending`` at or behind ``at``, remembering where it was found: each text is searched once."""
        found = self.ahead.get(ending, -1)
        if found < at:
            found = self.text.find(ending, at)
            if found < 0:
                found = len(self.text)
            self.ahead[ending] = found
        return found

    def _ticks(self, at: int) -> int:
        text = self.text
        end = at + 1
        size = len(text)
        while end < size and text[end] == "`":
            end += 1
        length = end - at
        runs = self.runs
        if runs is None:
            runs = self.runs = _last_runs(text, at)
        if runs.get(length, at) <= at:
            return end
        # One of the same length follows, and what is read to find it is what the span takes up.
        close = text.find("`", end)
        while True:
            behind = close + 1
            while behind < size and text[behind] == "`":
                behind += 1
            if behind - close == length:
                self._hide(at, behind, "code-span")
                return behind
            close = text.find("`", behind)

    def _angle(self, at: int) -> int:
        text = self.text
        end = self._find(">", at + 1)
        if end < self._find("<", at + 1) and is_autolink(text[at + 1 : end]):
            return end + 1  # first, since `<!--@x.md>` is the link of a strange mailbox
        following = text[at + 1 : at + 2]
        if following == "!":
            return self._declaration(at)
        tag = self._find("?>", at + 2) + 2 if following == "?" else html.tag_end(text, at)
        if tag is None or tag > len(text):
            return at + 1
        self._hide(at, tag, "html-raw")
        return tag

    def _declaration(self, at: int) -> int:
        text = self.text
        reason = "html-raw"
        if text.startswith("--", at + 2):
            reason = "html-comment"
            if text.startswith(">", at + 4):
                end = at + 5
            elif text.startswith("->", at + 4):
                end = at + 6
            else:
                end = self._find("-->", at + 4) + 3
        elif text.startswith("[CDATA[", at + 2):
            end = self._find("]]>", at + 9) + 3
        elif text[at + 2 : at + 3] in _LETTERS:
            end = self._find(">", at + 3) + 1
        else:
            return at + 1
        if end > len(text):
            return at + 1
        self._hide(at, end, reason)
        return end

    def _close(self, at: int) -> int:
        """Decide what the ``]`` at ``at`` closes; return where reading goes on."""
        brackets = self.brackets
        behind = at + 1
        if not brackets:
            return behind
        opener = brackets.pop()
        followed = self.followed.pop()
        is_image = opener < 0
        inactive = len(brackets) < self.barrier and not is_image
        self.barrier = min(self.barrier, len(brackets))
        if inactive:
            return behind
        end = self._destination(behind)
        if end is None:
            end = self._label(~opener if is_image else opener, behind, followed=followed)
        if end is None:
            return behind
        if not is_image:
            self.barrier = len(brackets)
        return end

    def _destination(self, at: int) -> int | None:
        text = self.text
        if not text.startswith("(", at) or self._find(")", at) == len(text):
            return None
        if self.destinations is None:
            self.destinations = links.Destinations(text)
        end = self.destinations.end(links.skip_blank(text, at + 1))
        if end is None:
            return None
        after = links.skip_blank(text, end)
        if after > end:
            title = links.title_end(text, after)
            if title is not None:
                after = links.skip_blank(text, title)
        return after + 1 if text.startswith(")", after) else None

    def _label(self, opener: int, behind: int, *, followed: bool) -> int | None:
        text = self.text
        end = links.label_end(text, behind) if text.startswith("[", behind) else None
        if end is None:
            end = behind
        if end > behind + 2:
            label = text[behind:end]
        elif followed or behind - opener > links.LONGEST_LABEL + 2:
            return None
        else:
            label = text[opener:behind]
        normal = links.normal(label)
        return end if normal and normal in self.labels() else None


def _last_runs(text: str, at: int) -> dict[int, int]:
    """Return where the last run of back-ticks of each length begins, from ``at`` on, by length."""
    runs: dict[int, int] = {}
    size = len(text)
    while at >= 0:
        end = at + 1
        while end < size and text[end] == "`":
            end += 1
        runs[end - at] = at
        at = text.find("`", end)
    return runs


def is_autolink(inside: str) -> bool:
    """Say whether ``<inside>`` is a link to itself: an absolute URI or an e-mail address."""
    scheme, colon, rest = inside.partition(":")
    if (
        colon
        and 2 <= len(scheme) <= _LONGEST_SCHEME
        and scheme[0] in _LETTERS
        and not scheme.strip(_SCHEME)
        and (not rest or (min(rest) > " " and "\x7f" not in rest))
    ):
        return True
    mailbox, at, host = inside.partition("@")
    if not at or not mailbox or mailbox.strip(_MAILBOX):
        return False
    for label in host.split("."):
        if not label or len(label) > _LONGEST_HOST_LABEL or label.strip(_HOST):
            return False
        if label[0] == "-" or label[-1] == "-":
            return False
    return True
