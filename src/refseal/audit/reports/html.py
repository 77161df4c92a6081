"""A page for people with a browser: one file, no script, nothing from a network, readable without colours."""

from __future__ import annotations

from html import escape as html_escape
from typing import TYPE_CHECKING

from refseal import __version__
from refseal.audit.quoting import counted, excerpt, for_people, path_shown, quoted
from refseal.audit.reports.graph import draw
from refseal.resolve.reasons import REASONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.findings import Finding
    from refseal.audit.results import Reference, Repository, Results

MAX_ROWS = 2_000
"""References in the table of one repository; JSON has all of them."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Belt and braces: whatever a hostile name might inject could load, run and send nothing."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2129; --dim: #626b78; --paper: #fff; --card: #f6f7f9;
  --line: #d9dde3;
  --high: #b42318; --medium: #b54708; --low: #175cd3; --info: #626b78;
  --included: #067647; --skipped: #8a6100; --blocked: #b42318; --inert: #626b78; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --dim: #9aa3af; --paper: #14171c;
  --card: #1d2129;
  --line: #353b45; --high: #ff8a7a; --medium: #f7b27a; --low: #84b6ff; --info: #9aa3af;
  --included: #5fd39a; --skipped: #e3c063; --blocked: #ff8a7a; --inert: #9aa3af; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem;
  margin: 1.4rem 0 .4rem; }
code, pre, .mono, .graph text { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .86em; }
h1 code, h2 code, h3 code { font-size: .92em; overflow-wrap: anywhere; }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding:
  .45rem .9rem; }
.tiles b { font-size: 1.25rem; margin-right: .35rem; }
.finding { background: var(--card); border: 1px solid var(--line); border-left: 4px solid
  var(--tone); border-radius: 6px;
  padding: .6rem .9rem; margin: .5rem 0; }
.finding p { margin: .2rem 0; overflow-wrap: anywhere; }
.finding pre { margin: .4rem 0; padding: .4rem .6rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: 4px; overflow-x: auto; }
.high { --tone: var(--high); } .medium { --tone: var(--medium); } .low { --tone: var(--low); } .info
  { --tone: var(--info); }
.included { --tone: var(--included); } .skipped { --tone: var(--skipped); } .blocked { --tone:
  var(--blocked); }
.inert { --tone: var(--inert); } .instruction { --tone: var(--ink); }
.tag { color: var(--tone); font-weight: 600; }
.dim, .note { color: var(--dim); }
.suppressed { opacity: .65; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; } td.place, td.word { white-space: nowrap; }
.graph { background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.node rect { fill: var(--paper); stroke: var(--tone); stroke-width: 1.4; }
.node.instruction rect { stroke-width: 2.2; }
.node.blocked rect, .node.skipped rect { stroke-dasharray: 5 3; }
.node text { fill: var(--ink); font-size: 11px; } .node text.above { fill: var(--dim); font-size: 10px; }
.node.blocked text { fill: var(--blocked); } .node:hover rect { stroke-width: 3; }
.edge { fill: none; stroke: var(--tone); stroke-width: 1.4; opacity: .7; }
.dense .edge { stroke-width: 1.1; opacity: .4; }
.edge.blocked, .edge.skipped { stroke-dasharray: 5 3; } .edge.inert { stroke-dasharray: 2 4; }
"""


def render(results: Results) -> str:
    """Return the page."""
    return "".join(f"{line}\n" for line in _page(results))


def _page(results: Results) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>refseal audit</title><style>{_STYLE}</style></head><body>"
    yield "<h1>refseal audit</h1>"
    yield from _tiles(results)
    for repository in results.repositories:
        yield from _repository(repository)
    yield f'<p class="note">refseal {_text(__version__)}</p></body></html>'


def _tiles(results: Results) -> Iterator[str]:
    yield '<ul class="tiles">'
    for word, count in results.severities().items():
        yield f'<li class="{word}"><b class="{"tag" if count else "dim"}">{count}</b>{word}</li>'
    for word, count in results.verdicts().items():
        if count or word != "inert":
            yield f'<li class="{word}"><b class="{"tag" if count else "dim"}">{count}</b>{word}</li>'
    yield "</ul>"


def _repository(repository: Repository) -> Iterator[str]:
    yield f"<h2><code>{_text(path_shown(repository.root))}</code></h2>"
    seen = len(repository.scopes)
    files = counted(repository.files, "instruction file")
    yield f'<p class="dim">{files}, seen from {counted(seen, "session")}</p>'
    picture = draw(repository)
    if picture:
        yield "<h3>Who pulls in what</h3>"
        yield '<p class="dim">'
        for word in ("included", "skipped", "blocked"):
            stroke = "&#9472;" if word == "included" else "&#9476;"
            yield f'<span class="tag {word}">{stroke} {word}</span> &nbsp;'
        yield "Point at a box to see its own lines alone."
        yield f'</p><div class="scroll">{picture}</div>'
    yield "<h3>Findings</h3>"
    if not repository.findings:
        yield '<p class="tag included">no findings</p>'
    group: str | None = None
    for number, finding in enumerate(repository.findings):
        if number == 0 or finding.path != group:
            group = finding.path
            name = path_shown(group) if group is not None else "(the repository)"
            yield f"<h3><code>{_text(name)}</code></h3>"
        yield from _finding(finding)
    if repository.ignored:
        yield f'<p class="note">Directories that git ignores, not looked into: {repository.ignored}.</p>'
    if repository.hidden:
        yield f'<p class="note">{repository.hidden} not shown (--persona and --min-severity choose).</p>'
    yield from _table(repository.references)


def _finding(finding: Finding) -> Iterator[str]:
    suppressed = " suppressed" if finding.suppressed is not None else ""
    place = f"{finding.line}:{finding.column}" if finding.line is not None else ""
    yield f'<div class="finding {finding.severity.word}{suppressed}">'
    yield (
        f'<p><span class="tag">{finding.severity.word}</span> '
        f"<b>{finding.rule.code}</b> {_text(finding.rule.name)} "
        f'<span class="dim">{place}</span></p>'
    )
    yield f"<p>{_text(finding.message)}</p>"
    if finding.excerpt is not None:
        shown, caret = excerpt(finding.excerpt)
        yield f"<pre>{html_escape(shown)}\n{' ' * caret}^</pre>"
    if finding.suppressed is not None:
        yield f'<p class="dim">Accepted: {_text(quoted(finding.suppressed))}</p>'
    else:
        yield f'<p class="dim">{_text(finding.rule.advice)}</p>'
    yield "</div>"


def _table(references: list[Reference]) -> Iterator[str]:
    if not references:
        return
    yield "<h3>References</h3>"
    heads = "".join(f"<th>{head}</th>" for head in ("Verdict", "Reason", "Where", "Reference", "File"))
    yield f'<div class="scroll"><table><tr>{heads}</tr>'
    for reference in references[:MAX_ROWS]:
        described = REASONS[reference.reason][1] if reference.reason in REASONS else ""
        resolved = (
            "" if reference.resolved is None else f"<code>{_text(path_shown(reference.resolved))}</code>"
        )
        yield (
            f'<tr class="{reference.verdict}"><td class="word tag">{reference.verdict}</td>'
            f'<td class="word" title="{_text(described)}">{_text(reference.reason)}</td>'
            f"<td><code>{_text(path_shown(reference.source))}:{reference.line}:{reference.column}</code></td>"
            f"<td><code>{_text(quoted(reference.target))}</code></td><td>{resolved}</td></tr>"
        )
    yield "</table></div>"
    if len(references) > MAX_ROWS:
        yield f'<p class="note">and {len(references) - MAX_ROWS} more; --format json lists them.</p>'


def _text(text: str) -> str:
    return html_escape(for_people(text))
