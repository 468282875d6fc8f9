"""Secret answers: what a schema marks `format: password` is recorded by a salted hash and kept in a box."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from . import answers, canonical
from .canonical import Json, JsonObject

MARK: Final = "sealed:sha256:"
KEY_BYTES = 32
SALT_BYTES = 16
_NONCE_BYTES = 12
# with more places than this to look at, the whole answer counts as secret
MOST_STEPS = 50_000
# what is shorter stands in too many other texts to be blotted out there
SHORTEST = 4

Path = tuple[str | int, ...]


def recorded(schema: Json, answer: Json, salt: bytes) -> Json:
    """The answer as everybody may see it: each secret is a mark with the hash of salt and value."""
    return _replaced(answer, _places(schema, answer), lambda value: _mark(value, salt))


def is_sealed(schema: Json, answer: Json) -> bool:
    """Whether an answer as recorded has secrets, by the schema that it answers: a text can only look like a mark."""
    return answer is not None and bool(_places(schema, answer))


def _mark(value: Json, salt: bytes) -> str:
    return MARK + hashlib.sha256(salt + canonical.encode(value)).hexdigest()


@dataclass(frozen=True, slots=True)
class OpenedAnswer:
    """An answer in clear, and what stands for each of its secrets."""

    answer: Json = field(repr=False)
    marks: Mapping[str, str] = field(repr=False)


class WrongKey(Exception):
    """The box was sealed with another key."""


class Sealer:
    """Makes and opens boxes by one key. A box opens only for the hold that it was made for."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, hold_id: UUID, answer: Json, salt: bytes) -> bytes:
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, salt + canonical.encode(answer), hold_id.bytes)

    def open(self, hold_id: UUID, box: bytes, schema: Json) -> OpenedAnswer:
        """`WrongKey` where the box is not of this key or not of this hold."""
        try:
            held = self._cipher.decrypt(box[:_NONCE_BYTES], box[_NONCE_BYTES:], hold_id.bytes)
        except InvalidTag as error:
            raise WrongKey from error
        salt, answer = held[:SALT_BYTES], json.loads(held[SALT_BYTES:])
        secrets: dict[str, str] = {}
        _replaced(answer, _places(schema, answer), lambda value: secrets.setdefault(_text(value), _mark(value, salt)))
        return OpenedAnswer(answer, secrets)


def blotted(value: Json, opened: Iterable[OpenedAnswer]) -> Json:
    """The value with every secret in it replaced by its mark, also within longer texts."""
    marks = {form: mark for each in opened for secret, mark in each.marks.items() for form in _forms(secret)}
    return _blotted(value, marks) if marks else value


def _blotted(value: Json, marks: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {_blot(name, marks): _blotted(inner, marks) for name, inner in value.items()}
    if isinstance(value, list):
        return [_blotted(inner, marks) for inner in value]
    if isinstance(value, str):
        return _blot(value, marks)
    return value if value is None or isinstance(value, bool) else marks.get(json.dumps(value), value)


def _blot(text: str, marks: Mapping[str, str]) -> str:
    if text in marks:
        return marks[text]
    # the longest first: one secret may be a part of another
    for secret in sorted(marks, key=len, reverse=True):
        if len(secret) >= SHORTEST:
            text = text.replace(secret, marks[secret])
    return text


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _forms(secret: str) -> set[str]:
    """As programs write it into other texts."""
    return {
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        repr(secret)[1:-1],
        quote(secret),
    }


def _replaced(value: Json, places: set[Path], put: Callable[[Json], Json], at: Path = ()) -> Json:
    if at in places:
        return put(value)
    if isinstance(value, dict):
        return {name: _replaced(inner, places, put, (*at, name)) for name, inner in value.items()}
    if isinstance(value, list):
        return [_replaced(inner, places, put, (*at, n)) for n, inner in enumerate(value)]
    return value


def _places(schema: Json, answer: Json) -> set[Path]:
    """Where the answer's secrets are. A place that only one of several alternatives marks is secret too."""
    if not isinstance(schema, dict) or not _Finder(schema).marks(schema):
        return set()
    found = _Finder(schema).places(answer)
    return found if found is not None else {()}


class _Finder:
    def __init__(self, root: JsonObject) -> None:
        self._root = root
        self._known: dict[int, bool] = {}

    def marks(self, schema: Json) -> bool:
        """Whether it or a part of it, references followed, marks a secret. A schema does not refer to itself."""
        if isinstance(schema, list):
            return any(map(self.marks, schema))
        if not isinstance(schema, dict):
            return False
        if id(schema) not in self._known:
            self._known[id(schema)] = schema.get("format") == "password" or any(map(self.marks, self._inner(schema)))
        return self._known[id(schema)]

    def _inner(self, schema: JsonObject) -> Iterator[Json]:
        yield from schema.values()
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield answers.target(self._root, reference)

    def places(self, answer: Json) -> set[Path] | None:
        """None where there are too many to look at."""
        found: set[Path] = set()
        waiting: list[tuple[Json, Json, Path]] = [(self._root, answer, ())]
        for _ in range(MOST_STEPS):
            if not waiting:
                return found
            schema, value, at = waiting.pop()
            if not isinstance(schema, dict) or not self.marks(schema):
                continue
            if schema.get("format") == "password":
                found.add(at)
            else:
                waiting += [(inner, value, at) for inner in self._alternatives(schema)]
                waiting += [(inner, part, (*at, step)) for inner, part, step in _parts(schema, value)]
        return None

    def _alternatives(self, schema: JsonObject) -> Iterator[Json]:
        """Schemas of the same value."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield answers.target(self._root, reference)
        for name in ("allOf", "anyOf", "oneOf"):
            yield from _list(schema.get(name))
        for name in ("if", "then", "else", "not"):
            yield schema.get(name)
        for name in ("dependentSchemas", "dependencies"):
            yield from _object(schema.get(name)).values()


def _parts(schema: JsonObject, value: Json) -> Iterator[tuple[Json, Json, str | int]]:
    """Schemas of what the value holds. Of names by pattern, all: rather one too many."""
    if isinstance(value, dict):
        named = _object(schema.get("properties"))
        others = [*_object(schema.get("patternProperties")).values()]
        others += [schema.get("additionalProperties"), schema.get("unevaluatedProperties")]
        for name, inner in value.items():
            yield named.get(name), inner, name
            yield from ((other, inner, name) for other in others)
    elif isinstance(value, list):
        first = _list(schema.get("prefixItems"))
        others = [schema.get(name) for name in ("items", "contains", "unevaluatedItems", "additionalItems")]
        for n, inner in enumerate(value):
            yield first[n] if n < len(first) else None, inner, n
            yield from ((other, inner, n) for other in others)


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
