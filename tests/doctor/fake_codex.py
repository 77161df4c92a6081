"""A stand-in for the client: a program that says a version and answers `hooks/list` in one of many ways."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

PLUGIN = "refseal@refseal"

_PROGRAM = """#!{python} -IS
import json, sys, time
behaviour = {behaviour!r}
if sys.argv[1:] == ["--version"]:
    print(behaviour["version"])
    sys.exit(behaviour.get("status", 0))
assert sys.argv[1:] == ["app-server"]
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "initialize":
        print("a line for people")
        print(json.dumps({{"method": "told", "params": {{}}}}))
        print(json.dumps({{"id": message["id"], "result": {{}}}}), flush=True)
    elif message["method"] == "hooks/list":
        if behaviour["answer"] == "hang":
            time.sleep(60)
        if behaviour["answer"] == "end":
            sys.exit(0)
        print(json.dumps({{"id": message["id"], **behaviour["answer"]}}), flush=True)
"""


def hook(event: str = "sessionStart", trust: str = "trusted", **changes: Any) -> dict[str, Any]:
    """Return a hook as Codex 0.171 lists it."""
    return {
        "key": f"{PLUGIN}:hooks/hooks.json:{event}:0:0",
        "eventName": event,
        "command": 'cd / && exec python3 -I -S "$PLUGIN_ROOT/hook.py"',
        "sourcePath": "/home/codex/plugins/cache/refseal/refseal/0.1.0/hooks/hooks.json",
        "pluginId": PLUGIN,
        "enabled": True,
        "trustStatus": trust,
        **changes,
    }


def listing(*hooks: dict[str, Any], warnings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the answer that lists these hooks."""
    data = {"cwd": "/", "hooks": list(hooks), "warnings": list(warnings), "errors": []}
    return {"result": {"data": [data]}}


BOTH = listing(hook(), hook("subagentStart"))


def write_codex(
    folder: str, answer: object = BOTH, version: str = "codex-cli 0.171.0", status: int = 0
) -> None:
    """Put the program ``codex`` into ``folder``."""
    behaviour = {"version": version, "status": status, "answer": json.loads(json.dumps(answer))}
    python = os.path.realpath(sys.executable)
    write_program(folder, "codex", _PROGRAM.format(python=python, behaviour=behaviour))


def write_program(folder: str, name: str, text: str) -> None:
    """Put an executable file into ``folder``."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)
