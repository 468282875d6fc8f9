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
    if "--output" in options or words & {"clone", "pull"}:
        found.add("write")
    return found


_CURL_VALUES = "AbCcdDeEFhHKmoPQrTtuUwxXyYz"
"""Letters of curl's options that take a value: what follows one in the same word is not an option."""


_CURL_FLAGS = re.compile(
    r"--(?:silent|location|fail|insecure|compressed|verbose|head|include|show-error|get|http\d.*|ipv\d|remote-name"
    r"|globoff|no-.*|progress-bar|anyauth|basic|digest|path-as-is|tlsv.*)"
)


def operands_of_curl(rest: Arguments) -> Arguments:
    """The addresses among the words: neither options nor their values."""
    found: list[str] = []
    takes_next = False
    for word in rest:
        if takes_next or word.startswith("-"):
            letters, value = _letters(word, _CURL_VALUES)
            long = word.startswith("--") and "=" not in word and not _CURL_FLAGS.fullmatch(word)
            takes_next = not takes_next and (long or (bool(letters & set(_CURL_VALUES)) and not value))
        else:
            found.append(word)
    return tuple(found)


def _curl(rest: Arguments) -> set[str]:
    """What is sent, stored, and by which method."""
    found: set[str] = set()
    for place, word in enumerate(rest):
        letters, value = _letters(word, _CURL_VALUES)
        if letters & set("dFT") or re.match(r"--(?:data|form|upload-file|json)", word):
            found.add("send")
        if letters & set("oODc") or re.match(r"--(?:output|remote-name|dump-header|cookie-jar|trace)", word):
            found.add("write")
        if "X" in letters or word.startswith("--request"):
            found |= _method(value or word.partition("=")[2], rest[place + 1 : place + 2])
    return found


def _wget(rest: Arguments) -> set[str]:
    found: set[str] = set()
    for place, word in enumerate(rest):
        found |= {"send"} if word.startswith(("--post-", "--body-")) else set()
        found |= _method(word.partition("=")[2], rest[place + 1 : place + 2]) if word.startswith("--method") else set()
    return found


def _method(written: str, following: Arguments) -> set[str]:
    return set(urls.read("https://x.example/", written or "".join(following)).operations) - {"fetch"}


def _letters(word: str, values: str) -> tuple[set[str], str]:
    """The letters of short options in a word, and what follows the first that takes a value."""
    if not re.match(r"-[A-Za-z]", word):
        return set(), ""
    end = next((place for place, letter in enumerate(word) if place and letter in values), len(word))
    return set(word[1 : end + 1]), word[end + 1 :]


def _cloud(rest: Arguments) -> set[str]:
    """Of a cloud's client: what is done is a word such as `terminate-instances`."""
    verbs = {word.partition("-")[0] for word in rest if re.fullmatch(r"[a-z]+(?:-[a-z0-9]+)+", word)}
    found = {"delete"} if verbs & {"delete", "terminate", "remove", "destroy", "purge", "deregister"} else set[str]()
    found |= {"write"} if verbs & {"create", "put", "update", "modify", "run", "start", "stop", "reboot"} else set()
    found |= {"grant"} if verbs & {"attach", "assume", "authorize", "add"} else set()
    return found | ({"read"} if verbs & {"get", "list", "describe", "head", "batch"} else set())


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
    "curl": _curl,
    "wget": _wget,
    "aws": _cloud,
    "gcloud": _cloud,
    "az": _cloud,
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
