"""Our HMAC and whichever SHA-256 was found, against the standard library's own."""

from __future__ import annotations

import builtins
import hashlib
import hmac
import importlib
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refseal.seal import sha256 as module

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def without_own_modules() -> Iterator[None]:
    original = builtins.__import__

    def missing(name: str, *arguments: Any) -> Any:
        if name in {"_sha2", "_sha256"}:
            raise ImportError(name)
        return original(name, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "__import__", missing)
        yield
    importlib.reload(module)


@given(st.binary(), st.binary(max_size=200))
def test_digests_are_those_of_the_standard_library(data: bytes, key: bytes) -> None:
    assert module.sha256(data).hexdigest() == hashlib.sha256(data).hexdigest()
    assert module.hmac_sha256(key, data) == hmac.new(key, data, "sha256").digest()


@pytest.mark.parametrize("length", [0, 1, 31, 32, 63, 64, 65, 128])
def test_keys_of_every_length(length: int) -> None:
    key = bytes(range(length))
    assert module.hmac_sha256(key, b"m") == hmac.new(key, b"m", "sha256").digest()


@pytest.mark.usefixtures("without_own_modules")
def test_an_interpreter_without_a_module_of_its_own_uses_hashlib() -> None:
    fresh = importlib.reload(module)
    assert fresh.sha256 is hashlib.sha256
    assert fresh.sha256(b"x").digest() == hashlib.sha256(b"x").digest()


@pytest.mark.parametrize(("theirs", "other"), [("_sha2", "_sha256"), ("_sha256", "_sha2")])
def test_the_interpreters_own_module_is_used_by_either_name(
    monkeypatch: pytest.MonkeyPatch, theirs: str, other: str
) -> None:
    constructor: Any = object()
    monkeypatch.setitem(sys.modules, theirs, SimpleNamespace(sha256=constructor))
    monkeypatch.setitem(sys.modules, other, None)
    assert module._constructor() is constructor
