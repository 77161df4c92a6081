"""`refseal audit`: options in, a report out, and an exit status."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from typing import TYPE_CHECKING, Any

import click

from refseal.audit.baseline import MAX_BYTES as MAX_BASELINE_BYTES
from refseal.audit.baseline import Baseline, BaselineError, lies_inside, parse, render
from refseal.audit.exit_status import FAILED, FINDINGS, NO_FILE, NOTHING, status_of
from refseal.audit.findings import Persona, Severity
from refseal.audit.results import Results
from refseal.cli.manual import NO_COLOR, Manual
from refseal.cli.output import (
    Unwritable,
    complain,
    path_for_people,
    print_lines,
    print_text,
    refuse_planted,
    write_whole,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from refseal.audit.scan import Options

FORMATS = ("text", "json", "sarif", "github", "html")
SEVERITIES = tuple(severity.word for severity in Severity)
PERSONAS = tuple(persona.name.lower() for persona in Persona)

MAX_LIST_BYTES = 1 << 24
"""Of a list of directories on standard input: a hundred thousand of them."""


@click.command(
    cls=Manual,
    exit_status={
        0: "Nothing at or above --fail-on.",
        1: "Findings at or above --fail-on.",
        2: "Could not run (usage, a directory or file that cannot be read or written).",
        3: "There is no instruction file. Of several directories the worst counts: 2, 1, 3, 0.",
    },
    environment=NO_COLOR,
    examples={
        "refseal audit": "Before you start an agent in a repository that you have cloned.",
        "refseal audit --cwd packages/api --show-inert": "Why was a reference not included?",
        "refseal audit --format sarif --output refseal.sarif --fail-on high": "In CI.",
        "refseal audit --write-baseline baseline.json --reason 'reviewed in May'": "Accept what is there.",
        "refseal audit --baseline baseline.json": "Fail on what is new since.",
    },
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path())
@click.option(
    "--format",
    "-f",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="For people, programs, code scanning, a pull request, or a browser.",
)
@click.option("--output", "-o", metavar="FILE", type=click.Path(), help="Write the report to FILE.")
@click.option(
    "--fail-on",
    type=click.Choice(SEVERITIES),
    default="medium",
    show_default=True,
    help="Exit with 1 if there is a finding of this severity or above.",
)
@click.option(
    "--min-severity",
    type=click.Choice(SEVERITIES),
    default="info",
    show_default=True,
    help="Leave lower findings out of the report.",
)
@click.option(
    "--baseline", metavar="FILE", type=click.Path(), help="Findings that are accepted, with reasons."
)
@click.option("--write-baseline", metavar="FILE", type=click.Path(), help="Accept what is found now.")
@click.option("--reason", metavar="TEXT", help="Why; for each new entry of --write-baseline.")
@click.option(
    "--proposed-baseline",
    metavar="FILE",
    type=click.Path(),
    help="The baseline as a change under review has it: what it adds to --baseline is a finding.",
)
@click.option("--allow-none", is_flag=True, help="Exit with 0, not 3, if there is no instruction file.")
@click.option("--show-inert", is_flag=True, help="List references in code and comments too.")
@click.option("--include-ignored", is_flag=True, help="Look into untracked directories that git ignores.")
@click.option(
    "--codex-home",
    metavar="DIR",
    type=click.Path(),
    help="Take your own instruction files and settings in; otherwise the repository alone decides.",
)
@click.option("--cwd", metavar="DIR", type=click.Path(), help="Only say what a session in DIR would get.")
@click.option(
    "--persona",
    type=click.Choice(PERSONAS),
    default="regular",
    show_default=True,
    help="Who reads the report: pedantic and auditor see more.",
)
@click.pass_context
def audit(context: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Report what is dangerous or broken in the instruction files of repositories.

    PATH is a directory, by default this one; `-` reads a list of them from standard input, one a line or
    with a NUL after each.

    Resolves every `@` reference as the Codex hook would, in each directory that a session could start in,
    and says which are included, skipped or blocked, and why; then looks at the files themselves for text
    that a reviewer cannot see, forged markup, and links that leave the repository.  Nothing is run.  Nothing
    is read outside the repository, of a linked worktree its verified main one, and --codex-home; without
    that no setting of yours has a say, and one of the repository's never has.
    """
    try:
        status = _run(_listed(paths), options)
    except (BaselineError, Unwritable) as error:
        complain("audit", str(error))
        status = FAILED
    context.exit(status)


def _run(paths: list[str], options: dict[str, Any]) -> int:
    from refseal.audit.acceptance import accept  # noqa: PLC0415 - after --help
    from refseal.audit.quoting import counted  # noqa: PLC0415
    from refseal.pathguard.repository import nearest_holding  # noqa: PLC0415

    persona = Persona[options["persona"].upper()]
    minimum, fail_on = (Severity[options[name].upper()] for name in ("min_severity", "fail_on"))
    _refuse_names(options)
    known = _read_baseline(options["baseline"])
    proposed = _read_baseline(options["proposed_baseline"])
    results, failed = _scan_all(paths, options, persona)
    for written in (options["write_baseline"], options["output"]):
        if written is not None:
            refuse_planted(written, [*paths, *(repository.root for repository in results.repositories)])
    # Whoever writes one of the audited trees, or the work tree around it, may have written a baseline there.
    roots = [repository.root for repository in results.repositories]
    tops = {top for root in roots for top in (root, nearest_holding(root, (".git",))) if top is not None}
    baselines = {}
    if known is not None:
        inside = any(lies_inside(options["baseline"], top) for top in tops)
        baselines = dict.fromkeys(roots, Baseline(known.entries, inside=inside))
    accept(
        results,
        baselines,
        persona,
        proposed=proposed,
        proposed_path=_below(options["proposed_baseline"], results) if proposed is not None else None,
    )
    accepted = None
    if options["write_baseline"] is not None and failed:
        where = path_for_people(options["write_baseline"])
        complain("audit", f"{where} was left as it is, since not all could be audited")
    elif options["write_baseline"] is not None:
        kept = known or _read_baseline(options["write_baseline"], missing_ok=True)
        entries = list(results.findings())
        write_whole(options["write_baseline"], render(entries, kept, options["reason"]))
        accepted = counted(len(entries), "finding")
    status = status_of(results, fail_on, failed=failed)
    if status == NO_FILE and options["allow_none"]:
        status = NOTHING
    counts = ", ".join(f"{count} {word}" for word, count in results.severities().items() if count)
    why = {FINDINGS: f"findings: {counts}", NO_FILE: "there is no instruction file"}
    for repository in results.repositories:
        shown = [finding for finding in repository.findings if finding.severity >= minimum]
        repository.hidden += len(repository.findings) - len(shown)
        repository.findings = shown
    if results.repositories or not failed:
        _report(results, options["form"], options["output"])
        if accepted is not None:
            inside = any(lies_inside(options["write_baseline"], top) for top in tops)
            limits = ", but none of severity high while it lies in the audited tree" if inside else ""
            where = path_for_people(options["write_baseline"])
            complain("audit", f"{accepted} accepted in {where}{limits}")
        if status in why and options["output"] is not None:
            # Otherwise the log of a job that fails holds no word of why.
            complain("audit", f"{why[status]}; the report is in {path_for_people(options['output'])}")
    return status


def _refuse_names(options: dict[str, Any]) -> None:
    """Raise `Unwritable` for names of files and directories that mean none, or one thing twice."""
    for name in ("output", "write_baseline", "baseline", "proposed_baseline", "codex_home", "cwd"):
        if options[name] == "":
            raise Unwritable(f"--{name.replace('_', '-')}: an empty name is no path")
    written = [os.path.realpath(options[name]) for name in ("output", "write_baseline") if options[name]]
    if len(set(written)) < len(written):
        raise Unwritable("--output and --write-baseline: one file cannot be both")


def _scan_all(paths: list[str], options: dict[str, Any], persona: Persona) -> tuple[Results, bool]:
    from refseal.audit.scan import Options, scan  # noqa: PLC0415 - after --help
    from refseal.pathguard import Refusal  # noqa: PLC0415
    from refseal.resolve.reasons import describe  # noqa: PLC0415

    chosen = Options(
        codex_home=None if options["codex_home"] is None else os.path.abspath(options["codex_home"]),
        cwd=options["cwd"],
        show_inert=options["show_inert"],
        persona=persona,
        include_ignored=options["include_ignored"],
        home=os.environ.get("HOME") or None,
    )
    results, failed = Results(), False
    with _progress() as tell:
        for path in paths:
            problem = _why_not(path, chosen)
            if problem is None:
                try:
                    results.repositories.append(scan(path, chosen, tell))
                    continue
                except Refusal as refusal:
                    problem = describe(refusal.code)
            complain("audit", f"{path_for_people(path)}: {problem}")
            failed = True
    return results, failed


def _why_not(path: str, options: Options) -> str | None:
    """Return why a directory that somebody named cannot be audited."""
    if not path or "\0" in path:
        return "not a path"
    for directory in (path, options.codex_home, options.cwd and os.path.join(path, options.cwd)):
        if directory is not None and not os.path.isdir(directory):
            return (
                "not a directory" if directory == path else f"{path_for_people(directory)} is not a directory"
            )
    if options.cwd is not None:
        from refseal.resolve.territory import is_beneath  # noqa: PLC0415 - after --help

        if not is_beneath(os.path.realpath(os.path.join(path, options.cwd)), os.path.realpath(path)):
            return f"{path_for_people(options.cwd)} lies outside it"
    return None


def _listed(paths: tuple[str, ...]) -> list[str]:
    """Return the directories to audit, each once; `-` stands for a list on standard input."""
    listed: list[str] = []
    for path in paths or (".",):
        if path == "-":
            if sys.stdin is None:
                raise Unwritable("standard input is closed")
            try:
                data = sys.stdin.buffer.read(MAX_LIST_BYTES + 1)
            except OSError as error:
                raise Unwritable(f"standard input: {error.strerror}") from error
            if len(data) > MAX_LIST_BYTES:
                raise Unwritable("the list on standard input is too long")
            separator = b"\0" if b"\0" in data else b"\n"
            listed += [os.fsdecode(line) for line in data.split(separator) if line.strip()]
        else:
            listed.append(path)
    return list(dict.fromkeys(listed))


def _read_baseline(path: str | None, *, missing_ok: bool = False) -> Baseline | None:
    if path is None:
        return None
    try:
        return parse(_read_regular(path))
    except FileNotFoundError as error:
        if missing_ok:
            return None
        raise BaselineError(f"{path_for_people(path)}: no such file") from error
    except OSError as error:
        raise BaselineError(f"{path_for_people(path)}: {error.strerror}") from error
    except BaselineError as error:
        raise BaselineError(f"{path_for_people(path)}: {error}") from error


def _read_regular(path: str) -> bytes:
    """Read a file that may lie in a hostile tree: one without an end or a writer holds nothing up."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise BaselineError("not a regular file")
        return file.read(MAX_BASELINE_BYTES + 1)


def _below(path: str, results: Results) -> str | None:
    """Return the path of the proposed baseline below the first root, if it lies there."""
    for repository in results.repositories[:1]:
        relative = os.path.relpath(os.path.realpath(path), repository.root)
        if not relative.startswith(".."):
            return relative
    return None


def _report(results: Results, form: str, output: str | None) -> None:
    from refseal.audit.reports import github, html, json_report, sarif, text  # noqa: PLC0415 - after --help

    renderers: dict[str, Callable[[Results], str]] = {
        "text": text.render,
        "json": json_report.render,
        "sarif": sarif.render,
        "html": html.render,
        "github": lambda results: github.render(results, _prefixes(results)),
    }
    if output is not None:
        write_whole(output, renderers[form](results))
    elif form == "text":
        print_lines(text.lines(results))
    else:
        print_text(renderers[form](results))


def _prefixes(results: Results) -> dict[str, str]:
    """Return for each root below this directory its path from here: annotations need it."""
    prefixes = {}
    for repository in results.repositories:
        relative = os.path.relpath(repository.root, os.path.realpath("."))
        if relative != "." and not relative.startswith(".."):
            prefixes[repository.root] = relative + "/"
    return prefixes


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str], None] | None]:
    """Tell a person at a terminal what is going on; nobody else."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal

    with Console(stderr=True, highlight=False, markup=False).status("refseal audit") as status:
        yield lambda what: status.update(f"refseal audit: {what}")
