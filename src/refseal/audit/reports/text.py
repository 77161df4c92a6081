"""The report for people: findings by file with the offending line, then how each reference fared.

The report is made of lines of (text, style) pieces.  A terminal gets colours for the styles; anything else
gets the text alone.  Nothing in it depends on colour.
"""

from __future__ import annotations

from textwrap import TextWrapper
from typing import TYPE_CHECKING, TypeAlias

from refseal.audit.quoting import excerpt, for_people, path_shown, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from refseal.audit.findings import Finding
    from refseal.audit.results import Reference, Repository, Results

Line: TypeAlias = list[tuple[str, str]]
"""Pieces of one line; a style is a word: plain, dim, path, high, medium, low, info, included, skipped,
blocked,
inert, suppressed."""

MAX_REFERENCES = 200
"""Listed in one repository; JSON has all of them."""


def render(results: Results) -> str:
    """Return the report without colours."""
    return "".join("".join(text for text, _ in line) + "\n" for line in lines(results))


def lines(results: Results) -> Iterator[Line]:
    """Yield the report line by line."""
    for repository in results.repositories:
        yield [("refseal audit ", "plain"), (_path(repository.root), "path")]
        yield []
        if not repository.has_file:
            yield [("There is no instruction file.", "skipped")]
            yield []
        yield from _findings(repository)
        yield from _references(repository)
    yield from _summary(results)


def _findings(repository: Repository) -> Iterator[Line]:
    group: str | None = None
    advised: set[str] = set()
    for number, finding in enumerate(repository.findings):
        if number == 0 or finding.path != group:
            if number:
                yield []
            group = finding.path
            yield [(_path(group) if group is not None else "(the repository)", "path")]
        yield from _finding(finding, advised)
    if repository.findings:
        yield []


def _finding(finding: Finding, advised: set[str]) -> Iterator[Line]:
    place = f"{finding.line}:{finding.column}" if finding.line is not None else "-"
    style = "suppressed" if finding.suppressed is not None else finding.severity.word
    yield [
        (f"  {place:<8}", "dim"),
        (f"{finding.severity.word:<7} ", style),
        (f"{finding.rule.code} {finding.rule.name}", style),
    ]
    yield from _wrapped(finding.message, "plain")
    if finding.excerpt is not None:
        shown, caret = excerpt(finding.excerpt)
        yield [(f"{_INDENT}| ", "dim"), (shown, "plain")]
        yield [(f"{_INDENT}| ", "dim"), (" " * caret + "^", style)]
    if finding.suppressed is not None:
        yield from _wrapped(f"accepted: {quoted(finding.suppressed)}", "suppressed")
    elif finding.rule.code not in advised:
        advised.add(finding.rule.code)
        yield from _wrapped(f"next: {finding.rule.advice}", "dim", hanging="      ")


def _wrapped(text: str, style: str, *, hanging: str = "") -> Iterator[Line]:
    """Yield escaped text in lines of 80 columns; a longer word stays whole, so that it can be searched.

    What a person sees is made of each line by itself: `::` means something where a line begins.
    """
    for number, line in enumerate(_WRAPPER.wrap(text)):
        yield [(f"{_INDENT}{hanging if number else ''}{for_people(line)}", style)]


WIDTH = 80
"""Columns: what a terminal has at least, and a job's log shows without a bar to scroll by."""

_INDENT = " " * 10
_WRAPPER = TextWrapper(WIDTH - len(_INDENT) - 6, break_long_words=False, break_on_hyphens=False)


def _references(repository: Repository) -> Iterator[Line]:
    references = repository.references
    if not references:
        return
    yield [("References", "path")]
    group: str | None = None
    for reference in references[:MAX_REFERENCES]:
        if reference.source != group:
            group = reference.source
            yield [("  ", "plain"), (_path(group), "path")]
        yield _reference(reference)
    if len(references) > MAX_REFERENCES:
        yield [(f"    and {len(references) - MAX_REFERENCES} more (--format json lists them)", "dim")]
    yield []


def _reference(reference: Reference) -> Line:
    why = "" if reference.reason == reference.verdict else f" {reference.reason}"
    line: Line = [
        (f"    {f'{reference.line}:{reference.column}':<8}", "dim"),
        (f"{reference.verdict + why:<24}", reference.verdict),
        (f"  {_quoted(reference.target)}", "plain"),
    ]
    if reference.resolved is not None and _path(reference.resolved) != _quoted(reference.target):
        line.append((f" -> {_path(reference.resolved)}", "dim"))
    return line


def _summary(results: Results) -> Iterator[Line]:
    verdicts = results.verdicts()
    parts = [f"{count} {word}" for word, count in verdicts.items() if count or word != "inert"]
    yield [("References: " + ", ".join(parts) + ".", "plain")]
    yield list(_separated(_counts(results)))
    suppressed = sum(finding.suppressed is not None for finding in results.findings())
    hidden = sum(repository.hidden for repository in results.repositories)
    ignored = sum(repository.ignored for repository in results.repositories)
    if suppressed:
        yield [(f"{suppressed} accepted by the baseline.", "dim")]
    if ignored:
        directories = "1 directory" if ignored == 1 else f"{ignored} directories"
        yield [(f"{directories} that git ignores not looked into (--include-ignored does).", "dim")]
    if hidden:
        yield [(f"{hidden} not shown (--persona and --min-severity choose).", "dim")]
    if any(finding.suppressed is None for finding in results.findings()):
        yield [("`refseal explain CODE` tells more about a rule or a reason.", "dim")]


def _counts(results: Results) -> list[tuple[str, str]]:
    counts = results.severities()
    if not any(counts.values()):
        return [("no findings", "included")]
    return [(f"{count} {word}", word if count else "dim") for word, count in counts.items()]


def _separated(pieces: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield ("Findings: ", "plain")
    for number, piece in enumerate(pieces):
        if number:
            yield (", ", "plain")
        yield piece
    yield (".", "plain")


def _path(path: str) -> str:
    return for_people(path_shown(path))


def _quoted(text: str) -> str:
    return for_people(quoted(text))
