"""Seals: names for tags that no text inside the block can contain.

A closing tag protects a body only if the body cannot hold that tag.  Escaping bodies would change what people
wrote; a secret or a random number would make two renderings of the same files differ; and a plain digest of
the body, cut short, can be hit by search: 48 bits were, in 22 minutes on two cores.  So a seal hangs on every
byte of the block, and then it is looked for::

    d_i       = SHA-256(body_i)                         the bytes between the tags, as they are emitted
    block key = SHA-256(frame(domain, counter, path_0, d_0, path_1, d_1, …, template))
    SEAL_i    = the first 32 hex digits of HMAC-SHA-256(block key, frame(i, path_i, d_i))

``i`` counts elements from 0 in the order of the block.  ``path_i`` is the path as its tag shows it (empty for
an element that is no file).  ``template`` is all that follows the marker, with each seal replaced by its
index in decimal.  ``frame`` puts the length of each part before it, as eight bytes, most significant first;
counter and index are eight bytes likewise.  All of that can be read off a block, so anybody can check it.

Whoever writes a body fixes it before its seal exists, and a body that holds its own seal would be a fixed
point of the hash.  Were one found all the same, the counter goes up and every seal is another one: the check
makes it impossible, not expensive.
"""

from __future__ import annotations

from refseal.seal import marker
from refseal.seal.sha256 import hmac_sha256, sha256

DOMAIN = b"refseal block 1"
"""Keeps these digests apart from every other use of SHA-256; the number goes up with the scheme."""

SEAL_DIGITS = 32
"""128 bits: a chance hit in a block of 128 KiB has a probability of about 2^-111 for each of its seals."""

COUNTERS = 100
"""Derivations that are tried.  The second is never needed by chance; the bound is there to have one."""

_NUMBER_BYTES = 8

_RUNS = bytes(ord("x" if chr(byte) in "0123456789abcdef" else " ") for byte in range(256))
"""Makes all digits of seals equal, and all else."""


class Unsealable(Exception):  # noqa: N818 - what the text is, not what went wrong in the program
    """Every counter gave a seal that occurs elsewhere in the block: nothing may be shown."""


class Element:
    """One pair of sealed tags: ``<TAG:SEAL ATTRIBUTES>`` newline, body, newline, ``</TAG:SEAL>`` newline.

    ``path`` is the path as shown in ``attributes``, or empty.  ``attributes`` start with a space or are
    empty.  ``after`` is our own text behind the closing tag.
    """

    __slots__ = ("after", "attributes", "body", "path", "tag")

    def __init__(self, tag: str, path: str, attributes: str, body: str, after: str = "") -> None:
        self.tag = tag
        self.path = path
        self.attributes = attributes
        self.body = body
        self.after = after

    def size(self) -> int:
        """Give the bytes that it takes in the block."""
        return overhead(self.tag, self.attributes, self.after) + len(self.body.encode())


def overhead(tag: str, attributes: str, after: str) -> int:
    """Give the bytes that an element takes besides its body."""
    tags = 2 * (len(tag) + SEAL_DIGITS) + len("<:>\n\n</:>\n")
    return tags + len(attributes.encode()) + len(after.encode())


def seal(parts: list[str | Element]) -> tuple[str, str]:
    """Join ``parts`` with a seal for each element and mark them: the text and the marker's digits.

    Raises `Unsealable` if no counter gives seals that occur nowhere else.
    """
    elements = [part for part in parts if isinstance(part, Element)]
    identities = [(part.path.encode(), sha256(part.body.encode()).digest()) for part in elements]
    template = _join(parts, [str(index) for index in range(len(elements))]).encode()
    for counter in range(COUNTERS):
        seals = derive(counter, identities, template)
        rest = _join(parts, seals)
        data = rest.encode()
        digits = marker.digest_of(data)
        if stand_alone(seals, digits, data):
            return marker.mark(digits, marker.BLOCK_SEPARATOR, rest), digits
    raise Unsealable(f"{COUNTERS} counters")


def derive(counter: int, identities: list[tuple[bytes, bytes]], template: bytes) -> list[str]:
    """Derive the seal of each element from its path, its body's digest and the whole block."""
    chunks = [DOMAIN, _number(counter)]
    for path, digest in identities:
        chunks += (path, digest)
    framed = sha256(_frame(chunks))
    framed.update(_number(len(template)))
    framed.update(template)  # by itself: it is as long as the block
    key = framed.digest()
    return [
        hmac_sha256(key, _frame([_number(index), path, digest])).hex()[:SEAL_DIGITS]
        for index, (path, digest) in enumerate(identities)
    ]


def stand_alone(seals: list[str], digits: str, rest: bytes) -> bool:
    """Whether each seal occurs in its two tags and nowhere else.

    Looked through are ``rest``, all that follows the marker, and the marker's ``digits``.
    """
    if any(one in digits for one in seals):
        return False
    # At a glance: where no 32 hexadecimal digits stand in a row but those of the tags, two runs for each
    # seal, no seal does.  One search instead of one for each of them.
    runs = rest.translate(_RUNS).count(b"x" * SEAL_DIGITS)
    if runs == 2 * len(seals) == 2 * len(set(seals)):
        return True
    return all(rest.count(one.encode()) == 2 for one in seals)


def _join(parts: list[str | Element], seals: list[str]) -> str:
    pieces = []
    index = 0
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
            continue
        name = f"{part.tag}:{seals[index]}"
        pieces += ("<", name, part.attributes, ">\n", part.body, "\n</", name, ">\n", part.after)
        index += 1
    return "".join(pieces)


def _number(value: int) -> bytes:
    return value.to_bytes(_NUMBER_BYTES, "big")


def _frame(parts: list[bytes]) -> bytes:
    framed: list[bytes] = []
    for part in parts:
        framed += (_number(len(part)), part)
    return b"".join(framed)
