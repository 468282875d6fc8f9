"""What one command with its arguments does, also the one that it runs in turn: sudo, env, xargs, bash -c."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from . import sql, urls
from .arguments import by_arguments
from .credentials import holds_credentials, is_credential
from .hosts import resources_of
from .programs import (
    EFFECTS,
    INTERPRETERS,
    LEADING_WORDS,
    RESOURCES,
    SQL_OPTIONS,
    SUBCOMMANDS,
    WRAPPERS,
    name_of,
)
from .reads import SHAPES

_NOTHING: frozenset[str] = frozenset()
_MAX_WRAPPERS = 8


@dataclass(frozen=True, slots=True)
class Effect:
    label: str
    """The program and its first word, for people."""
    operations: frozenset[str]
    hosts: frozenset[str] = _NOTHING
    resources: frozenset[str] = _NOTHING
    unclear: str | None = None
    runs_text: bool = False
    """Whether it runs what it gets as input."""


Reader = Callable[[str], Effect]
"""Reads a text of shell inside of a command."""


def effect_of(argv: tuple[str, ...], read: Reader, depth: int = 0) -> Effect:
    """What a command does; the more careful reading where that depends on what is not known."""
    if not argv or depth > _MAX_WRAPPERS:
        return Effect("", frozenset({"execute"}), unclear="it is nested too deep")
    program, rest = name_of(argv[0]), argv[1:]
    own = _own(program, rest, argv[0])
    for inner in _inner(program, rest, read, depth):
        own = _joined(own, inner)
    return own


def _own(program: str, rest: tuple[str, ...], written: str) -> Effect:
    words = [word for word in rest if not word.startswith("-")]
    operations, first = _operations(program, words)
    operations |= by_arguments(program, rest)
    resources = {RESOURCES[program]} if program in RESOURCES else set[str]()
    if any(is_credential(word, globs=True) for word in rest) or _recursive_over_secrets(program, rest, words):
        resources.add("credential")
    label = program if re.fullmatch(r"[a-z0-9_.+-]{1,30}|\[", program) else "a program"
    hosts = _hosts(program, rest, words)
    for host in hosts:
        resources |= resources_of(host)
    return Effect(
        f"{label} {first}".strip() if first else label,
        frozenset(operations),
        hosts,
        frozenset(resources),
        runs_text=program in INTERPRETERS or "execute" in operations,
    )


def _operations(program: str, words: list[str]) -> tuple[set[str], str]:
    known = SUBCOMMANDS.get(program)
    if known is None:
        return set(EFFECTS.get(program, {"read"} if program in SHAPES or program == "find" else {"execute"})), ""
    for word in words[:4]:
        for operation, names in known.items():
            if word in names.split():
                return {operation}, word
    return set(EFFECTS.get(program, {"execute"})), ""


def _recursive_over_secrets(program: str, rest: tuple[str, ...], words: list[str]) -> bool:
    recursive = program in ("rg", "ag", "tar", "zip", "cp", "rsync", "scp") or (
        program in ("grep", "egrep", "fgrep", "diff", "cp")
        and any(re.match(r"-[a-zA-Z]*[rR]|--rec|--deref", o) for o in rest)
    )
    return recursive and any(map(holds_credentials, words))


def _hosts(program: str, rest: tuple[str, ...], words: list[str]) -> frozenset[str]:
    found: set[str | None] = {urls.host_of(word.partition("=")[2] or word) for word in rest if "://" in word}
    if program in (
        "curl",
        "wget",
        "http",
        "xh",
        "ping",
        "dig",
        "nslookup",
        "host",
        "nc",
        "ncat",
        "netcat",
        "telnet",
        "ftp",
        "sftp",
    ):
        found |= {urls.host_of(word) for word in words if "." in word or word == "localhost"}
    if program in ("ssh", "scp", "rsync", "git", "sftp", "rclone"):
        found |= {urls.host_of(match[1]) for word in words if (match := re.match(r"(?:[\w.-]+@)?([\w.-]+):", word))}
    if program == "ssh" and words:
        found.add(urls.host_of(words[0]))
    return frozenset(host for host in found if host)


def _inner(program: str, rest: tuple[str, ...], read: Reader, depth: int) -> list[Effect]:
    """The commands and queries that a command carries."""
    found: list[Effect] = []
    if program in INTERPRETERS or program in ("su", "script", "runuser"):
        found += [read(rest[i + 1]) for i, word in enumerate(rest[:-1]) if re.fullmatch(r"-[a-z]*c|--command", word)]
    if program in ("eval", "watch", "ssh", "parallel"):
        found.append(read(" ".join(word for word in rest[(program == "ssh") :] if not word.startswith("-")) or ":"))
    if program in WRAPPERS and (inner := _wrapped(program, rest)):
        found.append(effect_of(inner, read, depth + 1))
    if program in ("find", "fd"):
        for place, word in enumerate(rest):
            if word in ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"):
                found.append(effect_of(rest[place + 1 :] or ("sh",), read, depth + 1))
    if program in ("docker", "kubectl") and "exec" in rest[:3]:
        after = rest[rest.index("--") + 1 :] if "--" in rest else [w for w in rest if not w.startswith("-")][2:]
        if after:
            found.append(effect_of(tuple(after), read, depth + 1))
    for place, word in enumerate(rest[:-1]):
        if word in SQL_OPTIONS.get(program, ()):
            query = sql.read(rest[place + 1])
            found.append(Effect(query.reason, query.operations, resources=query.resources, unclear=query.unclear))
    if program == "sqlite3" and len(rest) > 1:
        query = sql.read(rest[-1])
        found.append(Effect(query.reason, query.operations, resources=query.resources, unclear=query.unclear))
    return found


def _wrapped(program: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    """The command after a wrapper's own options."""
    at, own = 0, LEADING_WORDS.get(program, 0)
    while at < len(rest):
        word = rest[at]
        if word == "--":
            at += 1
            break
        if word.startswith("-") and len(word) > 1:
            at += 2 if word[1] != "-" and word[-1] in WRAPPERS[program] and len(word) == 2 else 1
        elif program in ("env", "sudo", "doas") and re.match(r"\w+=", word):
            at += 1
        elif own:
            own, at = own - 1, at + 1
        else:
            break
    return rest[at:]


def _joined(outer: Effect, inner: Effect) -> Effect:
    return replace(
        outer,
        label=f"{outer.label}: {inner.label}" if inner.label else outer.label,
        operations=outer.operations | inner.operations,
        hosts=outer.hosts | inner.hosts,
        resources=outer.resources | inner.resources,
        unclear=outer.unclear or inner.unclear,
        runs_text=outer.runs_text or inner.runs_text,
    )
