"""The only module that knows atheris: loads a target with its coverage instrumented, and runs it.

atheris has no types and is no dependency of the tests, hence the late import.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(HERE)
SOURCE = os.path.join(PROJECT, "src")

# No input needs to be longer to reach every branch, and short inputs keep the rate of executions up.  Bytes
# that a target does not read are without effect, so some get no more than they can read.
MAX_INPUT = 4096
SHORTER = {"hook": 512, "tokenizer": 512}


def run(target: str, arguments: Sequence[str], prepare: Callable[[], None] | None = None) -> None:
    """Run one target until it fails or a limit of the engine ends it, and with it the process.

    `arguments` are libFuzzer's.  `prepare` runs once the target is loaded, to break a build on purpose.
    """
    import atheris  # noqa: PLC0415  # only here

    with atheris.instrument_imports(include=["refseal"], enable_loader_override=False):
        import_all()
        module = importlib.import_module(f"fuzz.targets.{target}")
    if prepare is not None:
        prepare()
    gc.freeze()  # what is loaded stays: no collection has to walk through it
    atheris.Setup([sys.argv[0], *arguments], module.check)
    atheris.Fuzz()


def import_all() -> None:
    """Import every module of refseal below the command line, those too that it imports late."""
    refseal = importlib.import_module("refseal")
    for found in pkgutil.walk_packages(refseal.__path__, "refseal."):
        if not found.name.startswith(("refseal.cli", "refseal.__main__")):
            importlib.import_module(found.name)


def arguments_for(target: str, seconds: int, corpus: str) -> list[str]:
    """Arguments for the engine for a run of so many seconds whose new inputs go to the folder `corpus`."""
    arguments = [
        f"-max_total_time={seconds}",
        f"-max_len={SHORTER.get(target, MAX_INPUT)}",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-print_final_stats=1",
        "-use_value_profile=1",
    ]
    dictionary = os.path.join(HERE, "dictionaries", f"{target}.dict")
    if os.path.exists(dictionary):
        arguments.append(f"-dict={dictionary}")
    arguments.append(corpus)
    arguments += [folder for folder in folders(target) if os.path.isdir(folder)]
    return arguments


def folders(target: str) -> tuple[str, str]:
    """The stored inputs of a target: seeds, and the inputs that once broke it."""
    return os.path.join(HERE, "corpus", target), os.path.join(HERE, "regressions", target)
