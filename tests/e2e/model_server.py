"""A Responses API on localhost that says what a test tells it to, and records what reached "the model"."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import TracebackType

Item = dict[str, Any]
Step = Item | Callable[["Request"], Item]
"""What the model says next: an item, or how to make one of the request (it may need an agent's id)."""

OWN_MESSAGES = (
    "You are a coding agent",
    "<permissions instructions>",
    "<plugins_instructions>",
    "<skills_instructions>",
)
"""How the developer messages begin that the client itself writes."""


class Request:
    """One request for an answer, as it reached the model."""

    def __init__(self, path: str, headers: dict[str, str], body: Item) -> None:
        self.path = path
        self.headers = headers
        self.body = body

    @property
    def items(self) -> list[Item]:
        """Everything that the model is shown, in order."""
        found = self.body.get("input", [])
        assert isinstance(found, list)
        return found

    @property
    def thread(self) -> str:
        """The id of the thread that asks: a subagent and a fork have their own."""
        return str(self.headers.get("thread-id") or self.body.get("prompt_cache_key"))

    def texts(self, role: str) -> list[str]:
        """Give the text of each message of that role, in order."""
        return [text for item in self.items if item.get("role") == role for text in _texts(item)]

    @property
    def hook_messages(self) -> list[str]:
        """What hooks told the model, in order: the developer messages that are not the client's own."""
        return [text for text in self.texts("developer") if not text.startswith(OWN_MESSAGES)]

    @property
    def prompt(self) -> str:
        """What the user said last."""
        return (self.texts("user") or [""])[-1]

    @property
    def answered_calls(self) -> int:
        """How many calls of tools were answered since the user spoke last."""
        count = 0
        for item in self.items:
            if item.get("role") == "user":
                count = 0
            elif item.get("type") in {"function_call_output", "custom_tool_call_output"}:
                count += 1
        return count

    def tools(self) -> set[str]:
        """Names of the tools on offer, those in a namespace as `namespace.name`."""
        names: set[str] = set()
        for tool in self.body.get("tools", []):
            inner = tool.get("tools")
            if inner is None:
                names.add(str(tool.get("name", tool.get("type"))))
            else:
                names.update(f"{tool.get('name')}.{each.get('name')}" for each in inner)
        return names


def _texts(item: Item) -> list[str]:
    content = item.get("content")
    if isinstance(content, str):
        return [content]
    return [part["text"] for part in content or [] if "text" in part]


def message(text: str) -> Item:
    """Give the item by which the model says something."""
    return {
        "type": "message",
        "role": "assistant",
        "id": "msg_1",
        "content": [{"type": "output_text", "text": text}],
    }


def call(name: str, arguments: Item, *, namespace: str | None = None) -> Item:
    """Give the item by which the model calls a tool."""
    item: Item = {
        "type": "function_call",
        "id": "fc_1",
        "name": name,
        "call_id": f"call_{name}",
        "arguments": json.dumps(arguments),
    }
    if namespace is not None:
        item["namespace"] = namespace
    return item


def wait_for_agent(request: Request) -> Item:
    """Wait for the agent that was spawned last: its id stands in the answer to the call."""
    for item in reversed(request.items):
        if item.get("type") == "function_call_output":
            spawned = json.loads(item["output"])
            return call(
                "wait_agent",
                {"targets": [spawned["agent_id"]], "timeout_ms": 20_000},
                namespace="multi_agent_v1",
            )
    raise AssertionError(request.items)


class ModelServer:
    """Answers every request; a script decides with what, and `ok` is the answer where there is none.

    A script belongs to a prompt: its steps are given one after the other while the calls of the steps
    before are answered, so it needs no state and any number of threads may run it at once.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.usage = 10
        """Tokens that each answer claims to have used: a large number makes Codex compact by itself."""
        self._scripts: dict[str, tuple[Step, ...]] = {}
        server = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 30

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

            def do_GET(self) -> None:
                self._send("application/json", b'{"data": [], "models": []}')

            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers.get("content-length", "0")))
                request = Request(
                    self.path, {k.lower(): v for k, v in self.headers.items()}, json.loads(data or b"{}")
                )
                server.requests.append(request)
                self._send("text/event-stream", server.answer(request))

            def _send(self, kind: str, data: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL of the provider."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def script(self, prompt: str, *steps: Step) -> None:
        """Let the model answer that prompt with these items, one a request."""
        self._scripts[prompt] = steps

    def answer(self, request: Request) -> bytes:
        """Give the server-sent events that answer the request."""
        steps = self._scripts.get(request.prompt, ())
        step = request.answered_calls
        found = steps[step] if step < len(steps) else message("ok")
        item = found(request) if callable(found) else found
        usage = {"input_tokens": self.usage, "output_tokens": 1, "total_tokens": self.usage + 1}
        events: list[Item] = [
            {"type": "response.created", "response": {"id": "resp_1"}},
            {"type": "response.output_item.done", "item": item},
            {"type": "response.completed", "response": {"id": "resp_1", "usage": usage}},
        ]
        return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)

    def of_thread(self, thread: str) -> list[Request]:
        """Give the requests of one thread, in order."""
        return [request for request in self.requests if request.thread == thread]

    def last(self, thread: str) -> Request:
        """Give the last request of a thread."""
        return self.of_thread(thread)[-1]

    def close(self) -> None:
        """Stop serving and release the port."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> ModelServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
