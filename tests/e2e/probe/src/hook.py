"""Answers with the text of $PROBE/answer (<N> becomes the number of the call); notes it in $PROBE/calls."""

import json
import os
import sys

payload = json.load(sys.stdin)
folder = os.environ["PROBE"]
path = payload.get("transcript_path")
seen = None
if path is not None:
    with open(path, "rb") as file:
        seen = len(file.read())

with open(os.path.join(folder, "calls"), "a+", encoding="utf-8") as file:
    file.seek(0)
    number = len(file.readlines()) + 1
    file.write(json.dumps({"payload": payload, "bytes": seen}) + "\n")

with open(os.path.join(folder, "answer"), encoding="utf-8") as file:
    answer = file.read().replace("<N>", str(number))
print(
    json.dumps(
        {"hookSpecificOutput": {"hookEventName": payload["hook_event_name"], "additionalContext": answer}}
    )
)
