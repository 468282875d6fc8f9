"""What one command with its arguments does, and the commands and queries that it carries."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from . import sql, urls
from .arguments import by_arguments, operands_of_curl
from .credentials import holds_credentials, is_credential, is_startup
from .hosts import resources_of
from .programs import EFFECTS, FIRST_WORDS, GLOBAL_VALUES, NESTED, RESOURCES, name_of
from .reads import SHAPES
from .wrappers import SHELLS, SSH_VALUES, Argv, after_options, commands_in, texts_in

_NOTHING: frozenset[str] = frozenset()
_MAX_NESTING = 6
_QUERY_OPTIONS = {
    "psql": ("-c", "--command"),
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "sqlcmd": ("-Q", "-q"),
}
_BY_NAME = frozenset(
    {"curl", "wget", "http", "xh", "ping", "dig", "nslookup", "host", "nc", "ncat", "netcat", "telnet"}
)
_BY_PLACE = frozenset({"ssh", "scp", "rsync", "git", "sftp", "rclone"})

_ADDRESS = re.compile(
    r"(?<!\w)(?:https?|ftps?|wss?|ssh|sftp|git|rsync|tcp|rediss?|postgres(?:ql)?|mysql|mongodb|amqps?)://(\S*)"
)
_MAILERS = frozenset({"mail", "mailx", "mutt", "sendmail"})
_DATABASES = frozenset({"psql", "mysql", "mariadb", "redis-cli", "mongosh", "sqlcmd", "pg_dump", "mysqldump"})
_SHOW_ENVIRONMENT = frozenset({"env", "set"})
"""Without a command to run they print every variable, and secrets are often among these."""
_READ_BELOW = frozenset({"rg", "ag", "tar", "zip", "cp", "rsync", "scp"})
_READ_BELOW_IF = frozenset({"grep", "egrep", "fgrep", "diff"})


@dataclass(frozen=True, slots=True)
class Effect:
    label: str
    """The program and its first word, for people to read."""
    operations: frozenset[str]
    hosts: frozenset[str] = _NOTHING
    resources: frozenset[str] = _NOTHING
    unclear: str | None = None
    runs: str = ""
    """What it takes its input for: `shell` or `sql`, if either."""


Reader = Callable[[str], Effect]
"""Reads shell text inside a command."""


def effect_of(argv: Argv, read: Reader, nesting: int = 0) -> Effect:
    """What a command does; the more careful reading where that depends on what is not known."""
    if not argv or nesting > _MAX_NESTING:
        why = "it is nested too deep" if argv else "it names no command to run"
        return Effect("", frozenset({"execute"}), unclear=why)
    program, rest = name_of(argv[0]), argv[1:]
    effect = _own(program, rest)
    for inner in commands_in(program, rest):
        effect = _joined(effect, effect_of(inner, read, nesting + 1))
    for text in texts_in(program, rest):
        effect = _joined(effect, read(text)) if text.strip() else effect
    query = _query(program, rest)
    return _joined(effect, query_effect(query)) if query else effect


def query_effect(statement: str) -> Effect:
    found = sql.read(statement)
    return Effect(found.reason, found.operations, resources=found.resources, unclear=found.unclear)


def _own(program: str, rest: Argv) -> Effect:
    words = tuple(word for word in rest if not word.startswith("-"))
    operations, first = _operations(program, rest, words)
    added = by_arguments(program, rest)
    operations = operations | added if first or program in EFFECTS or program in SHAPES else added or operations
    if operations & {"write", "configure"} and any(map(is_startup, words)):
        operations |= {"configure"}
    hosts = _hosts(program, rest, words)
    resources = {RESOURCES[program]} if program in RESOURCES else set[str]()
    resources |= {resource for host in hosts for resource in resources_of(host)}
    shows_environment = program in _SHOW_ENVIRONMENT and all("=" in word for word in words)
    if shows_environment or any(is_credential(word, globs=True) for word in rest) or searches_secrets((program, *rest)):
        resources.add("credential")
    label = program if re.fullmatch(r"[a-z0-9_.+:-]{1,30}|\[", program) else "a program"
    runs = "sql" if program in _QUERY_OPTIONS or program == "sqlite3" else "shell" if program in SHELLS else ""
    return Effect(f"{label} {first}".strip(), frozenset(operations), hosts, frozenset(resources), runs=runs)


def _operations(program: str, rest: Argv, words: Argv) -> tuple[set[str], str]:
    known = FIRST_WORDS.get(program)
    usual = {"read"} if program in SHAPES and program not in EFFECTS else {"execute"}
    if known is None:
        return set(EFFECTS.get(program, usual)), ""
    first = [word for word in (words[:4] if program in NESTED else _first_words(program, rest)) if word in known]
    if not first:
        return set(EFFECTS.get(program, {"execute"})), ""
    return {known[word] for word in first}, " ".join(first)


def _first_words(program: str, rest: Argv) -> Argv:
    """The word that says what a program does; two if unknown options come before it."""
    at, candidates = 0, 1
    while at < len(rest) and rest[at].startswith("-"):
        takes_value = rest[at] in GLOBAL_VALUES.get(program, ())
        candidates += not takes_value and "=" not in rest[at]
        at += 1 + takes_value
    return tuple(word for word in rest[at:] if not word.startswith("-"))[: min(candidates, 3)]


def searches_secrets(argv: Argv) -> bool:
    """Whether a command reads all files below a folder that has secrets, such as somebody's home."""
    program, rest = argv[0], argv[1:]
    deep = program in _READ_BELOW or (
        program in _READ_BELOW_IF and any(re.match(r"-\w*[rR]|--(?:deref|rec|dir)|-\w*d", word) for word in rest)
    )
    return deep and any(map(holds_credentials, rest))


def _hosts(program: str, rest: Argv, words: Argv) -> frozenset[str]:
    found = {urls.host_of(place[1]) for word in rest if (place := _ADDRESS.search(word))}
    if program in _BY_NAME:
        named = operands_of_curl(rest) if program == "curl" else words
        found |= {urls.host_of(word) for word in named if "." in word or ":" in word or word == "localhost"}
    if program in _BY_PLACE:
        found |= {urls.host_of(place[1]) for word in words if (place := re.match(r"(?:[\w.-]+@)?([\w.-]+):", word))}
    if program in _MAILERS:
        found |= {urls.host_of(word.rpartition("@")[2]) for word in words if "@" in word}
    if program in _DATABASES:
        found |= {urls.host_of(rest[at + 1]) for at, word in enumerate(rest[:-1]) if word in ("-h", "-S", "--host")}
        found |= {urls.host_of(word.removeprefix("--host=")) for word in rest if word.startswith("--host=")}
    if program == "ssh":
        found |= {urls.host_of(word) for word in after_options(rest, SSH_VALUES)[:1]}
    return frozenset(host for host in found if host)


def _query(program: str, rest: Argv) -> str:
    """The SQL that a client of a database is told to run."""
    if program == "sqlite3":
        return "; ".join(word for word in rest[1:] if not word.startswith("-"))
    options = _QUERY_OPTIONS.get(program, ())
    found = [rest[place + 1] for place, word in enumerate(rest[:-1]) if word in options]
    for word in rest:
        found += [
            word[len(option) :].removeprefix("=") for option in options if word.startswith(option) and word != option
        ]
    return "; ".join(found)


def _joined(outer: Effect, inner: Effect) -> Effect:
    label = inner.label.removeprefix("runs ")
    return replace(
        outer,
        label=f"{outer.label}: {label}"[:200] if label else outer.label,
        operations=outer.operations | inner.operations,
        hosts=outer.hosts | inner.hosts,
        resources=outer.resources | inner.resources,
        unclear=outer.unclear or inner.unclear,
        runs=outer.runs or inner.runs,
    )
