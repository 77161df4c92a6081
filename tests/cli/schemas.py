"""The published schemas of what the commands print as JSON."""

from __future__ import annotations

import json
import os

import jsonschema

FOLDER = os.path.join(os.path.dirname(__file__), "../../docs/schema")


def validate(name: str, answer: object) -> None:
    """Hold an answer against docs/schema/NAME.json, which must itself be a schema."""
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(answer)
