"""Secrets in added lines: by the detectors of detect-secrets, and literals that are given to names like `password`.

A finding has the kind and the place of a secret and never the secret.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from handrail.changes.verifying.change import Change, File, Line
from handrail.changes.verifying.integrity.places import is_test
from handrail.changes.verifying.model import Check, Finding, judged
from handrail.core.wording import counted
from handrail.logs import SECRET_TEXT
from handrail.sandbox.detectors import detectors

NAME = "secrets"
_WHY = "Anyone who can read the repository can use it, even after it is removed. Take it out; revoke it if it is real."
_FILE = re.compile(
    r"(^|/)(\.env(\.(?!example|sample|template|dist)[\w-]+)?|id_(rsa|dsa|ecdsa|ed25519)|\.netrc|\.git-credentials|\.pypirc"
    r"|credentials\.json|service[-_]account[\w-]*\.json)$|\.(pem|p12|pfx|jks|keystore|kdbx|ovpn)$"
)
_PUBLIC = re.compile(r"-----BEGIN (CERTIFICATE|PUBLIC KEY)-----")
_NAME = re.compile(
    r"(?i:passwo?r?d|passphrase|secret|token|api[_-]?key|private[_-]?key|access[_-]?key|auth[_-]?key)(?=\w{0,8}[\"']?\s*[:=])"
)
_VALUE = re.compile(r"""\w{0,8}["']?\s*(?:=|:|:=|=>)\s*(?:[brfu]{0,2}|@)(["'`])(?P<value>[^"'`\s]{8,200})\1""")
_PLACEHOLDER = re.compile(
    r"""(?ix) ^(your|my|some|dummy|fake|example|sample|test|change[-_]?me|placeholder|secret|pass(word|wd)?|xxx|todo
        |user|redacted|hidden|none|null|undefined|default|foo|bar|abc|123|insert|replace|env|config|vault|arn:|https?:
        |[./~]|postgres|root|admin|guest) | <|>|\*\*|\.\.\.|\$\{|\{\{|%\(|\{\w*\}|::|\(|\[|EXAMPLE""",
)
_BASIC = "Basic Auth Credentials"
"""What stands before `@` in an address: in tests and examples, mostly no secret."""
_SHORTEST = 8
_LONGEST_PART = 1_000
_SHARED = 250
_LEAST_ENTROPY = 3.2
"""Bits a character: words and names in common use have less, generated values of this length more."""


def check(change: Change) -> Check:
    findings = [finding for file in change.files for finding in find(file)]
    words = f"{counted(len(findings), 'secret')} in added lines."
    return judged(NAME, findings, clean="No secret in added lines.", words=words)


def find(file: File) -> Iterator[Finding]:
    if file.after is None or (file.before == file.after and not file.added):
        return
    if _FILE.search(file.path) and file.before is None and not _PUBLIC.match(file.after.text or ""):
        yield Finding("secret_file", file.path, 0, f"{file.path} is a file that holds secrets.", _WHY)
    pieces = [Line(number, part) for number, text in file.added for part in _parts(text)]
    text = "\n".join(piece.text for piece in pieces)
    before = (file.before.text or "") if file.before is not None else ""
    seen: set[tuple[int, str]] = set()
    for kind, value, offset in sorted(_found(file.path, text), key=lambda each: each[2]):
        line = pieces[text.count("\n", 0, offset)].number
        if value in before or any(line == at and (value in other or other in value) for at, other in seen):
            continue  # it only moved, or two detectors know it
        seen.add((line, value))
        yield Finding("secret", file.path, line, f"This line holds a secret: {kind}.", _WHY)


def _parts(line: str) -> Iterator[str]:
    """A line as it is, or parts of a long one that overlap: a detector may take the square of a line's length."""
    for start in range(0, max(1, len(line) - _SHARED), _LONGEST_PART - _SHARED):
        yield line[start : start + _LONGEST_PART]


def _found(path: str, text: str) -> Iterator[tuple[str, str, int]]:
    """(kind, value, place)."""
    for detector in detectors():
        is_guess = detector.secret_type == _BASIC
        for value in set(detector.analyze_string(text)) if not (is_guess and is_test(path)) else ():
            if not _PLACEHOLDER.search(value) and (not is_guess or _is_likely(value)):
                places = re.finditer(re.escape(value), text)
                yield from ((detector.secret_type, value, match.start()) for match in places)
    for match in SECRET_TEXT.finditer(text):
        value = match.group()
        if _is_likely(value.rpartition(":")[2]) and not (":" in value and is_test(path)):
            yield "a key, token or password", value, match.start()
    for name in _NAME.finditer(text) if not is_test(path) else ():
        match = _VALUE.match(text, name.end())
        if match is not None and _is_likely(match["value"]):
            yield f"a value for something called `{name.group().lower()}`", match["value"], match.start("value")


def _is_likely(value: str) -> bool:
    return (
        len(value) >= _SHORTEST
        and not _PLACEHOLDER.search(value)
        and _entropy(value) >= _LEAST_ENTROPY
        and _is_mixed(value)
    )


def _is_mixed(value: str) -> bool:
    """Digits among other characters: without any, it is a word or a name."""
    return any(map(str.isdigit, value)) and not value.isdigit()


def _entropy(value: str) -> float:
    return -sum(count / len(value) * math.log2(count / len(value)) for count in Counter(value).values())
