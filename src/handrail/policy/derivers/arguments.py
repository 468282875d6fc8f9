"""What options and arguments add to what a program does by its name."""

from __future__ import annotations

import re
from collections.abc import Callable

from . import urls

Arguments = tuple[str, ...]

_OPEN_MODE = re.compile(r"0?[0-7]*[2367]|[0-7]?[4-7][0-7]{3}|.*[oa][+=]\w*w.*|.*\+\w*s.*")
"""Modes that let everybody write, or run a program as its owner."""


def by_arguments(program: str, rest: Arguments) -> frozenset[str]:
    found = _READERS.get(program)
    return frozenset(found(rest)) if found else frozenset()


def _git(rest: Arguments) -> set[str]:
    words, options = {word for word in rest if word[:1] != "-"}, _options(rest)
    forced = options & {"--force", "-f", "--force-with-lease", "--delete", "-d", "--mirror", "--prune"}
    found: set[str] = set()
    if "push" in words and (forced or any(word.startswith(("+", ":")) for word in words)):
        found.add("delete")
    if ("reset" in words and "--hard" in options) or ("branch" in words and options & {"-D", "-d", "--delete"}):
        found.add("delete")
    if ("stash" in words and {"drop", "clear"} & words) or ("worktree" in words and "remove" in words):
        found.add("delete")
    if options & {"-c", "--exec-path", "--ext-diff", "--upload-pack", "--receive-pack", "-x", "--exec"}:
        found.add("execute")
    if "--output" in options:
        found.add("write")
    return found


def _transfer(rest: Arguments) -> set[str]:
    """Of curl and wget: what is sent, stored, and by which method."""
    found: set[str] = set()
    for place, word in enumerate(rest):
        following = rest[place + 1] if place + 1 < len(rest) else ""
        if re.match(r"-[a-zA-Z]*[dFT]|--(?:data|form|upload-file|json|post-|body)", word):
            found.add("send")
        if re.match(r"-[a-zA-Z]*[oO]|--(?:output|remote-name)", word):
            found.add("write")
        method = re.match(r"-[a-zA-Z]*X(.*)|--(?:request|method)(?:=(.*))?$", word)
        if method:
            found |= urls.read("https://x.example/", method[1] or method[2] or following).operations - {"fetch"}
    return found


def _find(rest: Arguments) -> set[str]:
    found = {"delete"} if "-delete" in rest else set[str]()
    return found | ({"write"} if any(word.startswith(("-fprint", "-fls")) for word in rest) else set[str]())


def _dd(rest: Arguments) -> set[str]:
    return {"delete"} if any(word.startswith("of=/dev/") for word in rest) else set()


def _in_place(rest: Arguments) -> set[str]:
    return {"write"} if any(re.match(r"-[a-zA-Z]*i|--in-place", word) for word in rest) else set()


def _chmod(rest: Arguments) -> set[str]:
    return {"grant"} if any(_OPEN_MODE.fullmatch(word) for word in rest if word[:1] != "-") else set()


def _rsync(rest: Arguments) -> set[str]:
    deletes = any(word.startswith(("--delete", "--del", "--remove-source-files")) for word in rest)
    return {"delete"} if deletes else set()


def _mkfs(_rest: Arguments) -> set[str]:
    return {"delete"}


def _options(rest: Arguments) -> set[str]:
    return {word.partition("=")[0] for word in rest if word.startswith("-")}


_READERS: dict[str, Callable[[Arguments], set[str]]] = {
    "git": _git,
    "curl": _transfer,
    "wget": _transfer,
    "find": _find,
    "fd": _find,
    "dd": _dd,
    "sed": _in_place,
    "perl": _in_place,
    "ruby": _in_place,
    "chmod": _chmod,
    "rsync": _rsync,
    "mkfs": _mkfs,
}
