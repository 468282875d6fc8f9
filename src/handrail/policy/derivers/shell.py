"""Commands of the shell: a plain read is one simple command of an allow-list, without anything that could do more."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from . import scripts
from .commands import Effect, Reader, effect_of, query_effect, searches_secrets
from .credentials import is_credential, is_startup
from .hosts import resources_of
from .listed import is_listed_read
from .plain import Word, words_of
from .programs import EFFECTS
from .reading import READ, UNKNOWN, Reading, too_long, unreadable
from .reads import DEFAULT

__all__ = ["DEFAULT", "read"]

_SHELLS = ("bash", "sh", "zsh", "dash", "/bin/bash", "/bin/sh", "/usr/bin/bash", "/usr/bin/sh", "/bin/zsh")
_MAX_WORDS = 400
_MAX_COMMANDS = 50
_MAX_NESTING = 3


def read(command: str | Sequence[str], allowed: Collection[str] = DEFAULT) -> Reading:
    """What a command does. A list is taken as the program and its arguments, which no shell expands."""
    if not isinstance(command, str):
        return _read_argv(tuple(map(str, command)), allowed)
    if too_long(command):
        return unreadable("the command is too long to read")
    words = words_of(command) if len(command) <= scripts.MAX_BYTES else None
    if words is not None and is_listed_read(words, allowed) and _is_simple(command):
        return _plain(words)
    return _read_text(command, 0)


def _read_argv(argv: tuple[str, ...], allowed: Collection[str]) -> Reading:
    if not argv or len(argv) > _MAX_WORDS or sum(map(len, argv)) > scripts.MAX_BYTES:
        return unreadable("the command is empty or too long to read")
    if len(argv) == 3 and argv[0] in _SHELLS and argv[1] in ("-c", "-lc"):
        return read(argv[2], allowed)
    words = tuple(map(Word, argv))
    shows = all(word.text.isprintable() for word in words)
    if shows and is_listed_read(words, allowed):
        return _plain(words)
    return _reading([effect_of(argv, _reader(0))], None if shows else "it has invisible characters")


def _plain(words: Sequence[Word]) -> Reading:
    argv = tuple(word.text for word in words)
    effect = effect_of(argv, _reader(0))
    # of a pattern in quotes, such as grep's, the shell makes no file names
    secret = any(is_credential(word.text, globs=word.glob) for word in words[1:]) or searches_secrets(argv)
    resources = (effect.resources - {"credential"}) | frozenset({"credential"} if secret else ())
    return Reading(READ, f"reads with {effect.label}", resources=resources)


def _is_simple(command: str) -> bool:
    """Whether the parser sees one command with its words too: two readers are harder to fool than one."""
    script = scripts.parse(command)
    return script is not None and script.simple


def _read_text(text: str, nesting: int) -> Reading:
    if not text.replace("\n", "").replace("\t", "").isprintable():
        return _by_words(text, "it has invisible characters")
    script = scripts.parse(text) if nesting <= _MAX_NESTING else None
    if script is None or len(script.commands) > _MAX_COMMANDS or sum(len(c.argv) for c in script.commands) > _MAX_WORDS:
        return _by_words(text, "the command is too long or too deep to read")
    effects = [effect_of(command.argv, _reader(nesting)) for command in script.commands if command.named]
    effects += [_redirected(target) for target in script.written]
    if any(is_credential(place, globs=True) for place in script.taken):
        effects.append(Effect("", READ, resources=frozenset({"credential"})))
    for document in script.documents[:2]:
        if any(effect.runs == "shell" for effect in effects):
            effects.append(_reader(nesting)(document))
        elif any(effect.runs == "sql" for effect in effects):
            effects.append(query_effect(document))
    if not all(command.named for command in script.commands):
        # `rm$IFS-rf` is known by its first letters
        effects.append(Effect("", _operations_of_words(text) | UNKNOWN))
    return _reading(effects, _unclear(script))


def _reader(nesting: int) -> Reader:
    def read_inside(text: str) -> Effect:
        found = _read_text(text, nesting + 1)
        return Effect(found.reason, found.operations, found.hosts, found.resources, found.unclear)

    return read_inside


def _by_words(text: str, why: str) -> Reading:
    """What the programs do whose names are in a text that nobody parsed."""
    return Reading(_operations_of_words(text) | UNKNOWN, why, unclear=why)


def _operations_of_words(text: str) -> frozenset[str]:
    named = {word for word in re.findall(r"\w+(?:[.+-]\w+)*", text.lower()) if word in EFFECTS}
    return frozenset(operation for program in named for operation in EFFECTS[program])


def _redirected(target: str) -> Effect:
    network = re.fullmatch(r"/dev/(?:tcp|udp)/([^/]+)/.*", target)
    if network:
        host = network[1].lower()
        return Effect("a connection", frozenset({"send"}), frozenset({host}), resources_of(host))
    if target in ("/dev/null", "/dev/stderr", "/dev/stdout", "-") or target.isdigit():
        return Effect("", frozenset())
    operations = {"write", "configure"} if is_startup(target) else {"write"}
    resources = {"file", "credential"} if is_credential(target) else {"file"}
    return Effect("a redirection", frozenset(operations), resources=frozenset(resources))


def _unclear(script: scripts.Script) -> str | None:
    if script.broken:
        return "it does not parse as a shell command"
    if not all(command.named for command in script.commands):
        return "the program is only known when it runs"
    if any(command.dynamic for command in script.commands) or "$" in script.written + script.taken:
        return "it substitutes values that are only known when it runs"
    return None if script.commands else "there is no command in it"


def _reading(effects: Sequence[Effect], unclear: str | None) -> Reading:
    operations = frozenset(operation for effect in effects for operation in effect.operations)
    # a read that is not on the list, or is not one simple command, may do more than it seems
    operations = operations if operations - READ else operations | UNKNOWN
    labels = list(dict.fromkeys(effect.label.removeprefix("runs ") for effect in effects if effect.label))
    reason = f"runs {', '.join(labels[:6])}{' …' if len(labels) > 6 else ''}" if labels else "a shell command"
    return Reading(
        operations,
        reason,
        frozenset(host for effect in effects for host in effect.hosts),
        frozenset(resource for effect in effects for resource in effect.resources),
        unclear or next((effect.unclear for effect in effects if effect.unclear), None),
    )
