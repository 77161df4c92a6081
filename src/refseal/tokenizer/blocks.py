"""The block structure of a text, as far as it decides which of a few places are prose.

`walk` is given the places that matter (`stops`, sorted offsets) and finds, for each, the run of prose that
it stands in, or the reason why it stands in none.  It reads lines as CommonMark 0.31 reads them: every
container that is open says whether the line goes on with it, what is left of the line may open new ones, and
the rest is text.  Tabs are expanded before, so that one of which only a part belongs to a container is no
special case.

Most lines are never read.  A line that starts at the margin with a character of text, behind an empty line,
is understood without anything before it, unless a fence or one of the HTML blocks that blank lines do not end
is open.  So the walk goes from stop to stop by way of the last such line before each, stopping also wherever
one of those blocks may open.

Three policies differ from the specification, because people write references where it sees raw HTML.  HTML
blocks other than comments and `html.VERBATIM` are prose, in which inline rules and fences hold; those of them
that have an end mark are none if it never comes; and what follows the end of a comment on its line is prose.
"""

from __future__ import annotations

from refseal.tokenizer import html
from refseal.tokenizer.glance import MARGIN, Glance, Openers, landing
from refseal.tokenizer.layout import Layout, Unit, join, line_end
from refseal.tokenizer.markers import SHORTEST_FENCE, closes_fence, fence_at, interrupts, list_marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NOTHING, _PARAGRAPH, _FENCE, _INDENTED, _HTML, _OPAQUE = range(6)
"""What kind of leaf is open.  `_OPAQUE` is a comment or one of `html.VERBATIM`; `_HTML` the other kinds."""

_QUOTE = -1
"""Stands for a block quote where a list item has the number of columns that its lines are indented by."""

_CODE_INDENT = 4

_MOST_SPACES_BEHIND_MARKER = 4  # five or more: the item begins with indented code

_LONGEST_HEADING_MARK = 6

_ENDS_MARK = frozenset(("", " ", "\t"))
"""What stands behind the mark of a heading."""

_FENCES = frozenset("`~")
_RULES = frozenset("*-_")
_UNDERLINES = frozenset("=-")
"""What fences, thematic breaks and the underlines of headings are made of."""

_BLANK = " \t"

_STARTS = frozenset("#`~<>*+-_=0123456789")
"""What a line may begin with if it is to open anything but a paragraph."""

_NO_PLAIN_LINE = _STARTS | frozenset(" \t\n")
"""What a line outside all containers must not begin with if nothing in it is to be looked at."""


def walk(text: str, stops: Sequence[int], settled: int = 0) -> Layout:
    """Lay out ``text`` (line ends are LF alone) around ``stops``; time is linear in the text.

    The reasons of the first ``settled`` stops are known already, and left to the caller.
    """
    walker = _Walk(text, stops, settled)
    walker.run()
    return walker.layout


class _Walk:
    """The state between two lines."""

    __slots__ = (
        "endings",
        "fence",
        "first",
        "glance",
        "hollow",
        "html_kind",
        "in_html",
        "layout",
        "leaf",
        "next",
        "opened",
        "opener",
        "openers",
        "pieces",
        "quotes",
        "stops",
        "text",
        "widths",
    )

    def __init__(self, text: str, stops: Sequence[int], settled: int) -> None:
        self.text = text
        self.stops = stops
        self.layout = Layout(len(stops))
        self.next = settled  # the first stop that no line read so far has reached
        self.openers = Openers(text)
        self.glance = Glance(text)
        self.widths: list[int] = []  # the containers that are open: columns of a list item, or _QUOTE
        self.quotes: list[int] = []  # indexes of the quotes among them
        self.hollow: bool  # whether the innermost container is a list item that holds nothing yet
        self.leaf = _NOTHING
        self.pieces: list[tuple[int, int]] = []  # of the unit under way
        self.first = settled  # the first stop that can belong to it
        self.fence: str  # the shortest run that closes the open fence
        self.in_html: bool  # whether the open fence stands in an HTML block that no blank line has ended
        self.html_kind: int  # of the HTML block that is open
        self.opener: int  # where the open fence or comment begins
        self.opened: int  # the first stop behind that
        self.endings: dict[str, int] = {}

    # -- from line to line ---------------------------------------------------------------------------------

    def run(self) -> None:
        text = self.text
        size = len(text)
        stops = self.stops
        count = len(stops)
        at = 0
        searched = -1  # where the last landing before it was looked for
        glanced = -1  # the stop that a glance told nothing about
        while at < size:
            leaf = self.leaf
            if leaf in (_FENCE, _OPAQUE):
                if self.next == count and self.next == self.opened:
                    break
                if not self.widths:
                    at = self._leave_opaque(at)
                    continue
            elif leaf in (_NOTHING, _INDENTED) or self.next == self.first:
                if self.next == count:
                    break
                if leaf != _HTML or self.html_kind >= html.KIND_BLOCK:
                    danger = self.openers.after(at)
                    if self.next > glanced:
                        self._glance(at, danger)
                        glanced = self.next
                        if glanced == count:
                            break
                    goal = stops[glanced]
                    if danger < goal:
                        fenced = self._enter_fence(danger)
                        if fenced is not None:
                            at = fenced + 1
                            continue
                        goal = danger
                    if goal > searched:
                        searched = goal
                        reached = landing(text, at, goal)
                        if reached > at:
                            self._restart()
                            leaf = _NOTHING
                            at = reached
            end = text.find("\n", at)
            if end < 0:
                end = size
            if leaf <= _PARAGRAPH and text[at] not in _NO_PLAIN_LINE and not self.widths:
                if not leaf:
                    self._begin(_PARAGRAPH)
                self._add(at, end)
            else:
                self._line(at, end)
            at = end + 1
        if self.leaf in (_FENCE, _OPAQUE):
            if self.opened < self.next:
                self.layout.unclosed = self.opener
                self.layout.swallowed = self.opened
        else:
            self._close(0)

    def _glance(self, at: int, danger: int) -> None:
        """Decide the next stops up to ``danger`` by a glance, as long as that is enough."""
        # Whatever container is open, a line of text at the margin ends it, unless a paragraph is open too.
        told = self.glance.tell(self.stops, self.next, at, danger, clear=not self.leaf)
        behind = self.next + len(told)
        self.layout.reasons[self.next : behind] = told
        self.first = self.next = behind

    def _restart(self) -> None:
        self.widths.clear()
        self.quotes.clear()
        self.leaf = _NOTHING
        self.pieces = []

    def _take(self, end: int, reason: str) -> None:
        """Give ``reason`` to the stops before ``end`` that have none yet."""
        stops = self.stops
        index = self.next
        while index < len(stops) and stops[index] < end:
            self.layout.reasons[index] = reason
            index += 1
        self.next = index

    def _add(self, start: int, end: int) -> None:
        """Add a line to the unit under way."""
        self.pieces.append((start, end))
        stops = self.stops
        index = self.next
        while index < len(stops) and stops[index] < end:
            index += 1
        self.next = index

    def _begin(self, leaf: int) -> None:
        self.leaf = leaf
        self.pieces = []
        self.first = self.next

    def _single(self, start: int, end: int) -> None:
        """Deliver a unit of one line, which leaves nothing open."""
        self._begin(_HTML)
        self._add(start, end)
        self._close_leaf()

    def _close_leaf(self) -> None:
        leaf = self.leaf
        if leaf in (_PARAGRAPH, _HTML) and self.first < self.next:
            unit = Unit(self.pieces, self.first, self.next, is_paragraph=leaf == _PARAGRAPH)
            self.layout.units.append(unit)
            self.first = self.next
        self.leaf = _NOTHING

    def _close(self, matched: int) -> None:
        """Close the leaf and every container but the first ``matched``."""
        if self.leaf:
            self._close_leaf()
        del self.widths[matched:]
        quotes = self.quotes
        while quotes and quotes[-1] >= matched:
            quotes.pop()
        self.hollow = False

    # -- blocks that blank lines do not end ----------------------------------------------------------------

    def _open_fence(self, at: int, fence: str) -> None:
        self.leaf = _FENCE
        self.fence = fence
        self.opener = at
        self.opened = self.next

    def _enter_fence(self, at: int) -> int | None:
        """Open the fence that begins at ``at`` if it stands at the margin; return its line's end if it does.

        There it ends whatever is open, and nothing before it has to be read.  Only an HTML block would go on
        behind it.
        """
        text = self.text
        if text[at] == "<" or not self.glance.is_at_margin(at):
            return None
        end = line_end(text, at)
        fence = fence_at(text[at:end], 0)
        if fence:
            self._restart()
            self.in_html = False
            self._open_fence(at, fence)
            self._take(end, "fence")
            return end
        return None

    def _close_fence(self) -> None:
        if self.in_html:
            self._begin(_HTML)
        else:
            self.leaf = _NOTHING

    def _comment_ends(self, behind: int, end: int) -> None:
        """Leave a comment whose ``-->`` ends at ``behind``; the rest of the line, to ``end``, is prose."""
        self._take(behind, "html-comment")
        self._single(behind, end)

    def _leave_opaque(self, at: int) -> int:
        """Leave the fence or opaque block that is open outside all containers; return where to go on."""
        text = self.text
        size = len(text)
        if self.leaf == _FENCE:
            closing = self._closing_line(at)
            if closing is None:
                self._take(size, "fence")
                return size
            line, end = closing
            self._take(line, "fence")
            if self.in_html and any(not row.strip(_BLANK) for row in text[at:line].split("\n")[:-1]):
                self.in_html = False
            self._close_fence()
            return end + 1
        if self.html_kind == html.KIND_COMMENT:
            mark = text.find("-->", at)
            if mark < 0:
                self._take(size, "html-comment")
                return size
            end = line_end(text, mark)
            self._comment_ends(mark + 3, end)
            return end + 1
        tag = html.verbatim_end(text, at, size)
        end = size
        if tag is not None:
            end = line_end(text, tag)
            self.leaf = _NOTHING
        self._take(end, "html-raw")
        return end + 1

    def _closing_line(self, at: int) -> tuple[int, int] | None:
        """Return the start and end of the first line from ``at`` on that closes the fence, if one does."""
        text = self.text
        low = at
        while True:
            run = text.find(self.fence, low)
            if run < 0:
                return None
            line = text.rfind("\n", low, run) + 1 or low
            end = line_end(text, run)
            indent = run - line
            margin = indent < _CODE_INDENT and text.startswith(" " * indent, line)
            if margin and closes_fence(text[line:end], indent, self.fence):
                return line, end
            low = end + 1

    # -- one line ------------------------------------------------------------------------------------------

    def _line(self, at: int, end: int) -> None:
        """Read one line: what it goes on with, what it opens, and what is text in it."""
        line = self.text[at:end]
        margin = 0
        shift = 0
        if "\t" in line:
            margin = len(line) - len(line.lstrip(MARGIN))
            head = line[:margin]
            if "\t" in head:
                columns = head.expandtabs(_CODE_INDENT)
                shift = len(columns) - margin
                line = columns + line[margin:]
        size = len(line)
        here = size - len(line.lstrip(" "))  # the first character that is no space
        start = 0  # what belongs to containers ends here
        widths = self.widths
        depth = len(widths)
        matched = 0
        quoted = 0
        while matched < depth:
            if here == size:
                # Blank: list items go on (but not one that is still hollow), quotes do not.
                matched = self.quotes[quoted] if quoted < len(self.quotes) else depth - self.hollow
                start = here
                break
            width = widths[matched]
            if width == _QUOTE:
                if line[here] != ">" or here - start >= _CODE_INDENT:
                    break
                quoted += 1
                start = here + 1
                if start < size and line[start] == " ":
                    start += 1
                here = start
                while here < size and line[here] == " ":
                    here += 1
            elif here - start >= width:
                start += width
            else:
                break
            matched += 1

        goes_on = matched == depth
        blank = here == size
        indented = here - start >= _CODE_INDENT
        leaf = self.leaf
        if leaf > _PARAGRAPH:
            if goes_on and self._goes_on(line, here, at, end, blank=blank, indented=indented, shift=shift):
                return
            self._close_leaf()
        if blank:
            self._close(matched)
            return

        in_paragraph = leaf == _PARAGRAPH
        lazy = in_paragraph and not goes_on
        tails: dict[str, int] = {}
        while True:
            if here - start >= _CODE_INDENT:
                if in_paragraph:
                    break
                self._close(matched)
                self.leaf = _INDENTED
                self._take(end, "indented-code")
                return
            char = line[here]
            if char not in _STARTS:
                break
            if char == ">":
                self._close(matched)
                self.quotes.append(matched)
                widths.append(_QUOTE)
                start = here + 1
                if start < size and line[start] == " ":
                    start += 1
            elif char == "#":
                mark = len(line) - here - len(line[here:].lstrip("#"))
                if mark > _LONGEST_HEADING_MARK or line[here + mark : here + mark + 1] not in _ENDS_MARK:
                    break
                self._close(matched)
                self._single(at + here + mark - shift, end)
                return
            elif char in _FENCES:
                fence = fence_at(line, here)
                if not fence:
                    break
                self._close(matched)
                self.in_html = False
                self._open_fence(at + here - shift, fence)
                self._take(end, "fence")
                return
            elif char == "<":
                if not self._open_html(line, here, at, end, matched, shift, in_paragraph=in_paragraph):
                    break
                return
            else:
                if in_paragraph and not lazy and char in _UNDERLINES and self._is_underline(line, here, char):
                    self._close(matched)
                    return
                if char in _RULES:
                    tail = tails.get(char, -1)
                    if tail < 0:
                        tail = tails[char] = len(line.rstrip(char + _BLANK))
                    if tail <= here and line.count(char, here) >= SHORTEST_FENCE:
                        self._close(matched)
                        return
                mark = list_marker(line, here, char)
                if not mark:
                    break
                after = here + mark
                if in_paragraph and not lazy and not interrupts(line, here, after):
                    break
                self._close(matched)
                spaces = after
                while spaces < size and spaces - after <= _MOST_SPACES_BEHIND_MARKER and line[spaces] == " ":
                    spaces += 1
                if spaces == size or not 0 < spaces - after <= _MOST_SPACES_BEHIND_MARKER:
                    widths.append(after + 1 - start)
                    start = min(after + 1, size)
                else:
                    widths.append(spaces - start)
                    start = spaces
                self.hollow = True
            matched += 1
            here = start
            while here < size and line[here] == " ":
                here += 1
            in_paragraph = lazy = False
            if here == size:
                return

        if not in_paragraph:
            self._close(matched)
            self._begin(_PARAGRAPH)
        self._add(at + self._origin(at, here, margin, shift), end)

    def _origin(self, at: int, column: int, margin: int, shift: int) -> int:
        """Return which character of the line at ``at`` the one at ``column`` of the expanded line is."""
        if not shift:
            return column
        if column >= margin + shift:
            return column - shift
        width = 0
        head = self.text[at : at + margin]
        for index, char in enumerate(head):
            if width >= column:
                return index
            width += _CODE_INDENT - width % _CODE_INDENT if char == "\t" else 1
        return margin

    def _goes_on(
        self, line: str, here: int, at: int, end: int, *, blank: bool, indented: bool, shift: int
    ) -> bool:
        """Offer a line of its containers to the leaf, no paragraph, that is open; say if it took it."""
        leaf = self.leaf
        if leaf == _FENCE:
            if blank:
                self.in_html = False
            elif not indented and closes_fence(line, here, self.fence):
                self._close_fence()
                return True
            self._take(end, "fence")
            return True
        if leaf == _INDENTED:
            if not blank and not indented:
                return False
            self._take(end, "indented-code")
            return True
        if leaf == _OPAQUE:
            if self.html_kind == html.KIND_COMMENT:
                mark = self.text.find("-->", at, end)
                if mark >= 0:
                    self._comment_ends(mark + 3, end)
                else:
                    self._take(end, "html-comment")
                return True
            self._take(end, "html-raw")
            if html.verbatim_end(self.text, at, end) is not None:
                self.leaf = _NOTHING
            return True
        start = at + here - shift  # the marks of containers are no HTML
        if self.html_kind < html.KIND_BLOCK:
            self._add(start, end)
            if html.MARKERS[self.html_kind] in line[here:]:
                self._close_leaf()
            return True
        if blank:
            return False
        fence = "" if indented or line[here] not in _FENCES else fence_at(line, here)
        if fence:
            self._close_leaf()
            self.in_html = True
            self._open_fence(start, fence)
            self._take(end, "fence")
        else:
            self._add(start, end)
        return True

    def _open_html(
        self, line: str, here: int, at: int, end: int, matched: int, shift: int, *, in_paragraph: bool
    ) -> bool:
        """Open the HTML block that begins at ``here``, if one does."""
        kind = html.block_kind(line, here)
        if not kind or (kind == html.KIND_TAG and in_paragraph):
            return False
        text = self.text
        start = at + here - shift
        marker = html.MARKERS.get(kind)
        if marker and self._ahead(marker, start + 1) == len(text):
            return False  # policy: what is never closed is no block, or one stray `<?` hid a whole file
        self._close(matched)
        self.html_kind = kind
        if kind == html.KIND_COMMENT:
            self.leaf = _OPAQUE
            self.opener = start
            self.opened = self.next
            mark = text.find("-->", start + 2, end)
            if mark >= 0:
                self._comment_ends(mark + 3, end)
            else:
                self._take(end, "html-comment")
        elif kind == html.KIND_VERBATIM:
            self.leaf = _OPAQUE
            self.opener = start
            self.opened = self.next
            self._take(end, "html-raw")
            if html.verbatim_end(text, start, end) is not None:
                self.leaf = _NOTHING
        else:
            self._begin(_HTML)
            self._add(start, end)
            if marker and marker in line[here + 1 :]:
                self._close_leaf()
        return True

    def _ahead(self, marker: str, at: int) -> int:
        """Find ``marker`` at or behind ``at``, else the end of the text; each is sought once."""
        found = self.endings.get(marker, -1)
        if found < at:
            found = self.text.find(marker, at)
            if found < 0:
                found = len(self.text)
            self.endings[marker] = found
        return found

    def _is_underline(self, line: str, here: int, char: str) -> bool:
        """Say whether a line makes a heading of the paragraph before it; definitions alone are none."""
        if line[here:].rstrip(_BLANK).strip(char):
            return False
        if self.text[self.pieces[0][0]] != "[":
            return True
        from refseal.tokenizer import links  # noqa: PLC0415 - few texts define links so

        content = join(self.text, self.pieces)
        return links.definitions(content)[0] < len(content)
