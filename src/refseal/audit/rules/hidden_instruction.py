"""RS408: instructions where a person who looks at the rendered page does not see them.

HTML comments, comments by way of a link definition (`[//]: # (…)`) and elements that are hidden by their
style reach the model as they stand.  Most of them only comment; so what counts is what they say: that the
reader should set other instructions aside, keep something from the user, or do something as the agent.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from refseal.audit.confusables import look
from refseal.audit.findings import Confidence, Hit, Persona, Rule, Severity
from refseal.audit.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from refseal.audit.subjects import Text

RULE = Rule(
    code="RS408",
    name="hidden-instruction",
    severity=Severity.MEDIUM,
    confidence=Confidence.MEDIUM,
    summary="A comment that no reader of the rendered page sees tells the agent what to do.",
    advice="Read it. If it is meant, say it in prose, where everybody sees it; otherwise remove it.",
)

MAX_ELEMENT = 20_000
"""Characters that an element hides which is never closed: a browser hides all that follows."""

SHOWN_BEFORE = 20
"""Characters before the words that told, in a message that cannot quote the whole text."""

_MODEL = (
    r"(?:(?:ai|coding|code|language|llm|autonomous)[ -])?"
    r"(?:agents?|assistants?|models?|llms?|a\.?i\.?s?|bots?)"
    r"|codex|claude|copilot|chatgpt|gpt(?:-\d\w*)?|gemini|cursor|aider|cline|devin|windsurf"
)
_DO = (
    r"run|execute|read|send|use|follow|add|do|approve|reply|answer|respond|include|install|delete|remove|skip|commit"
    r"|push|open|call|write|print|output|post|upload|download|fetch|copy|append|insert|reveal|treat|assume|pretend"
    r"|act|ignore|stop|start|never|always|must|should|shall|will|when|if|before|after|please|you|proceed|grant|merge"
)
_OVERRIDES = re.compile(
    r"\b(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect|supersede"
    r"|do not follow|don't follow|pay no attention to)\b.{0,60}?"
    r"\b(?:instructions?|prompts?|rules?|guidelines?|polic(?:y|ies)|directions?|directives?"
    r"|messages?|context|restrictions?|guardrails?|safety|safeguards?|everything|constraints?|confirmations?|warnings?)\b"
    r"|\b(?:new|updated|real|actual|true|secret|hidden) (?:system )?(?:instructions?|prompt|directives?)\b"
    r"|\byou are (?:now|no longer)\b|\bfrom now on,? you\b"
)
_SECRECY = re.compile(
    r"\b(?:do not|don't|dont|never|without|avoid|refrain from|must not|mustn't)\s(?:\w+\s){0,3}?"
    r"(?:tell(?:ing)?|mention(?:ing)?|reveal(?:ing)?|inform(?:ing)?|disclos(?:e|ing)|show(?:ing)?|ask(?:ing)?"
    r"|alert(?:ing)?|notify(?:ing)?|report(?:ing)?|warn(?:ing)?|let(?:ting)?)\b"
    r".{0,40}?\b(?:users?|anyone|anybody|humans?|them|him|her|developers?|reviewers?|people|operators?|this|it)\b"
    r"|\b(?:silently|secretly|covertly|discreetly|quietly)\b.{0,40}?\b(?:" + _DO + r")\b"
    r"|\b(?:" + _DO + r")\b.{0,60}?\b(?:silently|secretly|covertly|discreetly)\b"
    r"|\bkeep (?:this|it|that) (?:a )?(?:secret|hidden|confidential|between us)\b"
)
_ADDRESSED = re.compile(
    r"^\W{0,5}(?:(?:note|message|attention|important|instructions?|hey|dear|hello|to|for|all|the|any"
    r"|this is for)\W{1,3}){0,4}"
    r"(?:" + _MODEL + r"|system)\W{0,3}(?:[:,;-]|\b)\s?.{0,30}?\b(?:" + _DO + r")\b"
    r"|\b(?:"
    + _MODEL
    + r")\s(?:must|should|shall|has to|have to|needs? to|(?:is|are) (?:required|expected|to)|may not"
    r"|can now)\b"
    r"|\b(?:if|when|as) (?:you are|you're|you) (?:an? )?(?:" + _MODEL + r")\b"
    r"|\b(?:as|being) an (?:ai|llm|agent)\b"
)
_DIRECTED = re.compile(
    r"\byou(?:r| must| should| shall| have to| need to| are to| will| may)\b"
    r"|^\W{0,5}(?:always|never|must|before|after|whenever|when|if|first|please|then|instead|also)\b"
    r"|[.;:!]\s(?:always|never|whenever|when|before|instead|also|then)\b"
)
_DANGER = re.compile(
    r"\b(?:curl|wget|netcat|nc|ssh|scp|eval|base64|sudo|chmod)\b.{0,80}?(?:https?:|\||\$|/|\d)"
    r"|\b(?:send|post|upload|push|forward|submit|exfiltrat\w*|leak|report|copy|e-?mail|append|fetch|download|load|open|visit)\b"
    r".{0,80}?(?:https?://|ftp://|\b[\w.-]+@[\w-]+\.\w|\bto the (?:server|endpoint|url|address)\b)"
    r"|\b(?:api[ _-]?keys?|access[ _-]?tokens?|credentials?|passwords?|secrets?|private keys?|\.env|ssh keys?"
    r"|environment variables?|auth\.json|id_rsa)\b"
    r"|\brm -[rf]{1,3}\b|--no-verify\b|--force\b|--dangerously\w*|\byolo\b"
    r"|\b(?:disable|skip|turn off|bypass|remove)\b.{0,30}?"
    r"\b(?:tests?|checks?|sandbox|approvals?|hooks?|review|security|lint(?:er|ing)?)\b"
    r"|\b(?:auto-?)?(?:approve|merge|accept)\b.{0,30}?"
    r"\b(?:all|any|every|pull requests?|prs?|commands?|requests?)\b"
)
_FORBIDDEN = re.compile(
    r"\b(?:never|do not|don't|must not|avoid)\s(?:\w+\s){0,2}?"
    r"(?:commit|log|hard-?code|store|check in|expose|leak|share)\w*\b[^.;:]{0,40}"
)
"""What an ordinary comment says of credentials: that they do not belong into the repository."""
_DESCRIBED = re.compile(r"\b(?:when|how|whether|what|which|where|why)\s(?:should\s|must\s)?(?:the|an?)\s$")
"""Before the word for the agent: a heading that a template leaves to be filled in, and no order."""

NEAR = 300
"""Characters between a word that is dangerous and one that directs it at the reader."""

_PIPED_TO_SHELL = re.compile(r"\b(?:curl|wget)\b.{0,200}?\|\s{0,4}(?:sudo )?(?:ba|z|da|k)?sh\b")

_LINK_COMMENT = re.compile(
    r"^[ ]{0,3}\[[^\]\n]{0,60}\]:[ \t]{0,8}(?:#|<>|<#>|//)[ \t]{0,8}(?P<body>\(.*\)|\".*\"|'.*')[ \t]*$",
    re.MULTILINE,
)
_HIDDEN_ELEMENT = re.compile(
    r"<(?P<tag>[a-z][a-z0-9]{0,20})\b[^<>]{0,300}?(?:\bhidden\b|(?:display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden"
    r"|font-size\s{0,4}:\s{0,4}0|opacity\s{0,4}:\s{0,4}0(?![.\d]*[1-9])|color\s{0,4}:\s{0,4}(?:white|transparent|\#fff(?:fff)?)))"
    r"[^<>]{0,300}>",
    re.IGNORECASE,
)


def check(text: Text) -> Iterator[Hit]:
    """Yield one hit for each hidden text that instructs; for auditors one for each that says anything.

    All of them are judged to their ends: filler in front of an instruction hides it from people alone.
    """
    for start, body in _hidden(text):
        plain = _plain(body)
        found = judge(plain)
        if found is not None:
            severity, at = found
            quote = _short(body) if at < SHOWN else "..." + plain[at - SHOWN_BEFORE :]
            message = f"hidden when rendered, and tells the reader what to do: {quoted(quote)}"
            yield Hit(message, body, *text.place(start), severity=severity)
        elif len(plain.split(maxsplit=3)) > 2:
            yield Hit(
                f"hidden when rendered: {quoted(_short(body))}",
                body,
                *text.place(start),
                severity=Severity.INFO,
                confidence=Confidence.LOW,
                persona=Persona.AUDITOR,
            )


SHOWN = 80
"""Where in a text the words that told have to begin at the latest for a message to show them."""


def judge(plain: str) -> tuple[Severity, int] | None:
    """Return how bad it is that the hidden text ``plain`` (lower case, one line) says that, and where."""
    piped = _PIPED_TO_SHELL.search(plain)
    if piped is not None:
        return Severity.HIGH, piped.start()
    overrides = _OVERRIDES.search(plain) or _SECRECY.search(plain)
    allowed = _FORBIDDEN.sub(lambda match: " " * len(match[0]), plain)
    danger = _DANGER.search(allowed)
    if overrides is not None:
        return Severity.MEDIUM if danger is None else Severity.HIGH, overrides.start()
    for addressed in _ADDRESSED.finditer(plain):
        if danger is not None or not _is_described(plain, addressed.start()):
            return Severity.MEDIUM, addressed.start()
    at = _directed_danger(allowed)
    return None if at is None else (Severity.MEDIUM, at)


def _is_described(plain: str, at: int) -> bool:
    return _DESCRIBED.search(plain[max(0, at - 24) : at]) is not None


def _directed_danger(plain: str) -> int | None:
    """Return where something dangerous is said, near to words that direct it at the reader."""
    directed = [match.start() for match in _DIRECTED.finditer(plain)]
    if not directed:
        return None
    for danger in _DANGER.finditer(plain):
        index = bisect_left(directed, danger.start() - NEAR)
        if index < len(directed) and directed[index] <= danger.end() + NEAR:
            return danger.start()
    return None


def _hidden(text: Text) -> Iterator[tuple[int, str]]:
    """Yield offset and body of each text that is not seen when the page is rendered."""
    # One character is found many times faster than two, and most texts have none of them.
    has_tags = "<" in text.text
    if has_tags and ("<!" in text.text or "<?" in text.text):
        yield from text.comments()
    if "]" in text.text and "]:" in text.text:
        found = {match.start(): match for match in _LINK_COMMENT.finditer(text.text)}
        for start in text.outside_code(list(found)):
            yield start, found[start]["body"][1:-1]
    if has_tags:
        yield from _in_elements(text)


def _in_elements(text: Text) -> Iterator[tuple[int, str]]:
    """Yield offset and body of each element that its style hides; one within another counts with it."""
    found = {match.start(): match for match in _HIDDEN_ELEMENT.finditer(text.text)}
    end = 0
    for start in text.outside_code(list(found)):
        if start < end:
            continue
        match = found[start]
        last = match.end() + MAX_ELEMENT
        closing = text.text.find(f"</{match['tag']}", match.end(), last)
        end = closing if closing >= 0 else last
        yield start, text.text[match.end() : end]


def _plain(body: str) -> str:
    """Return ``body`` as one line of lower-case words without emphasis, in the letters that it looks like."""
    words = look(body).casefold().replace("\u2019", "'")
    return " ".join(re.sub(r"[*_`~>#\"]+", " ", words).split())


def _short(body: str) -> str:
    return " ".join(body.split())
