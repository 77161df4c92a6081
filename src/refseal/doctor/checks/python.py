"""Whether the hook finds a Python that is new enough.

Codex starts it as ``python3``; if that is too old, the hook looks for ``python3.14`` … ``python3.11``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from refseal.doctor.findings import Finding
from refseal.doctor.programs import find_program, output_of
from refseal.seal import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from refseal.doctor.surroundings import Surroundings

NEEDED = (3, 11)
NEWEST = 14
"""Of 3.x, the last release that the hook looks for by name (old_python.py beside the hook)."""

_ASK = "import sys; print('%d.%d.%d' % sys.version_info[:3])"
_INSTALL = "Install Python 3.11 or newer as python3, on the PATH that Codex is started with."


def check(surroundings: Surroundings) -> Iterator[Finding]:
    """Start `python3` as the hook is started, and its newer siblings if need be."""
    environ = surroundings.environ
    first = find_program("python3", environ)
    if first is None:
        yield Finding(
            "problem",
            "There is no python3 in any absolute directory of PATH, so the hook cannot start.",
            _INSTALL,
        )
        return
    version = _version(first, environ)
    if version is not None and version >= NEEDED:
        yield Finding("ok", f"python3 is {_written(version)} ({escape(first, 4_096)}).")
        return
    what = "does not run" if version is None else f"is {_written(version)}, which is too old"
    for minor in range(NEWEST, NEEDED[1] - 1, -1):
        program = find_program(f"python3.{minor}", environ)
        newer = None if program is None or version is None else _version(program, environ)
        if program is not None and newer is not None and newer >= NEEDED:
            yield Finding(
                "ok", f"python3 {what}; the hook uses {escape(program, 4_096)} ({_written(newer)})."
            )
            return
    yield Finding("problem", f"python3 ({escape(first, 4_096)}) {what}.", _INSTALL)


def _version(program: str, environ: Mapping[str, str]) -> tuple[int, ...] | None:
    said = (output_of([program, "-I", "-S", "-c", _ASK], environ) or "").strip()
    numbers = said.split(".")
    if len(numbers) != 3 or not all(number.isdecimal() and len(number) < 5 for number in numbers):
        return None
    return tuple(int(number) for number in numbers)


def _written(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
