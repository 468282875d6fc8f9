"""Commands of the shell: a plain read is one simple command of an allow-list, without anything that could do more."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from . import scripts
from .commands import Effect, effect_of
from .credentials import is_credential
from .plain import Word, words_of
from .reading import READ, UNKNOWN, Reading, too_long, unreadable
from .reads import DEFAULT, is_listed_read

__all__ = ["DEFAULT", "read"]

_SHELLS = ("bash", "sh", "zsh", "dash", "/bin/bash", "/bin/sh", "/usr/bin/bash", "/bin/zsh")
_MAX_NESTING = 4


def read(command: str | Sequence[str], allowed: Collection[str] = DEFAULT) -> Reading:
    """What a command does. A list is taken as the program and its arguments, which no shell expands."""
    if not isinstance(command, str):
        return _read_argv(list(command), allowed)
    if too_long(command):
        return unreadable("the command is too long to read")
    words = words_of(command)
    if words is not None and is_listed_read(words, allowed) and _is_simple(command):
        return _plain(words)
    return _read_text(command, 0)


def _read_argv(argv: list[str], allowed: Collection[str]) -> Reading:
    if not argv or sum(map(len, argv)) > scripts.MAX_BYTES:
        return unreadable("the command is empty or too long to read")
    if len(argv) == 3 and argv[0] in _SHELLS and argv[1] in ("-c", "-lc"):
        return read(argv[2], allowed)
    words = tuple(map(Word, argv))
    printable = all(word.text.isprintable() for word in words)
    if printable and is_listed_read(words, allowed):
        return _plain(words)
    return _reading([effect_of(tuple(argv), _nested(0))], None if printable else "it has characters that do not show")


def _plain(words: Sequence[Word]) -> Reading:
    secret = any(is_credential(word.text, globs=word.glob) for word in words[1:])
    effect = effect_of(tuple(word.text for word in words), _nested(0))
    resources = effect.resources | frozenset({"credential"} if secret else ())
    return Reading(READ, f"reads with {effect.label}", resources=resources)


def _is_simple(command: str) -> bool:
    script = scripts.parse(command)
    return script is not None and script.simple


def _read_text(text: str, nesting: int) -> Reading:
    script = scripts.parse(text) if nesting <= _MAX_NESTING else None
    if script is None:
        return unreadable("the command is too long or too deep to read")
    effects = [effect_of(command.argv, _nested(nesting)) for command in script.commands if command.named]
    for target in script.written:
        effects.append(_redirected(target))
    for document in script.documents:
        if any(effect.runs_text for effect in effects):
            effects.append(_as_effect(_read_text(document, nesting + 1)))
    return _reading(effects, _unclear(text, script))


def _nested(nesting: int) -> Callable[[str], Effect]:
    return lambda text: _as_effect(_read_text(text, nesting + 1))


def _as_effect(reading: Reading) -> Effect:
    return Effect(reading.reason, reading.operations, reading.hosts, reading.resources, reading.unclear)


def _redirected(target: str) -> Effect:
    network = re.fullmatch(r"/dev/(?:tcp|udp)/([^/]+)/.*", target)
    if network:
        return Effect("a connection", frozenset({"send"}), frozenset({network[1].lower()}))
    if target in ("/dev/null", "/dev/stderr", "/dev/stdout") or target.isdigit() or target == "-":
        return Effect("", frozenset())
    resources = {"file", "credential"} if is_credential(target) else {"file"}
    return Effect("a redirection", frozenset({"write"}), resources=frozenset(resources))


def _unclear(text: str, script: scripts.Script) -> str | None:
    if script.broken:
        return "it does not parse as a shell command"
    if any(not character.isprintable() and character not in "\n\t" for character in text):
        return "it has characters that do not show"
    if not all(command.named for command in script.commands):
        return "the program is only known when it runs"
    if any(command.dynamic for command in script.commands):
        return "it substitutes values that are only known when it runs"
    return None if script.commands else "there is no command in it"


def _reading(effects: Sequence[Effect], unclear: str | None) -> Reading:
    operations = frozenset(operation for effect in effects for operation in effect.operations)
    # a read that is not on the list, or is more than one simple command, may do more than it seems
    operations = operations if operations - READ else operations | UNKNOWN
    labels = list(dict.fromkeys(effect.label for effect in effects if effect.label))
    reason = f"runs {', '.join(labels[:6])}{' …' if len(labels) > 6 else ''}" if labels else "a shell command"
    return Reading(
        operations,
        reason,
        frozenset(host for effect in effects for host in effect.hosts),
        frozenset(resource for effect in effects for resource in effect.resources),
        unclear or next((effect.unclear for effect in effects if effect.unclear), None),
    )
