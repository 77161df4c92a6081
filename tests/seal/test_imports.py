"""The renderer starts a hook: it may not pull in what costs milliseconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
SLOW = ["re", "json", "typing", "dataclasses", "enum", "pathlib", "collections", "functools", "contextlib"]
SLOW += ["hashlib", "hmac", "tomllib", "unicodedata"]


def test_the_renderer_imports_nothing_slow_and_not_the_parser() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(SOURCE)!r}); import refseal.seal; "
        f"print(sorted(set(sys.modules) & {{*{SLOW!r}, 'refseal.seal.parse'}}))"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
