"""Commands inside commands: what sudo, env, xargs, find -exec, bash -c or ssh run in turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

Argv = tuple[str, ...]

SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish"})
"""What stands after -c, or comes as their input, is a command again."""

_VALUES: dict[str, str] = {
    **dict.fromkeys(("sudo", "doas"), "ugpCDhrtTRU"),
    **dict.fromkeys(("nohup", "time", "command", "builtin", "setsid", "caffeinate", "unbuffer"), ""),
    **dict.fromkeys(("nice", "ionice"), "ncp"),
    **dict.fromkeys(("strace", "ltrace"), "eopsEI"),
    **dict.fromkeys(("chroot", "busybox", "toybox", "unshare", "entr", "torsocks", "npx", "bunx", "uvx"), ""),
    "exec": "a",
    "env": "uC",
    "xargs": "aEILnPsd",
    "timeout": "ks",
    "stdbuf": "ioe",
    "flock": "wE",
    "nsenter": "t",
    "runuser": "u",
    "proxychains": "f",
}
"""Programs that run the command after their own options, and the letters of their options that take a value."""
_OWN_WORDS = {"timeout": 1, "chroot": 1, "flock": 1}
"""How many words of their own stand before that command."""
_ASSIGNING = frozenset({"env", "sudo", "doas"})
_STARTS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})
SSH_VALUES = "BbcDEeFIiJLlmOopQRSWw"


def commands_in(program: str, rest: Argv) -> Iterator[Argv]:
    """The commands, as their words, that a command runs."""
    if program in _VALUES:
        inner = after_options(rest, _VALUES[program], _OWN_WORDS.get(program, 0), assignments=program in _ASSIGNING)
        yield from (inner,) if inner else ()
    if program in ("find", "fd") or (program == "git" and "rebase" in rest):
        yield from _started(rest)
    if program in ("docker", "kubectl") and {"exec", "run"} & set(rest[:3]):
        words = tuple(word for word in rest if not word.startswith("-"))
        inner = rest[rest.index("--") + 1 :] if "--" in rest else words[2:]
        yield from (inner,) if inner else ()


def texts_in(program: str, rest: Argv) -> Iterator[str]:
    """The texts that a command gives to a shell."""
    if program in SHELLS or program in ("su", "script", "runuser"):
        yield from (rest[place + 1] for place, word in enumerate(rest[:-1]) if re.fullmatch(r"-\w*c|--command", word))
        yield from (word.partition("=")[2] for word in rest if word.startswith("--command="))
    if program in ("powershell", "pwsh", "cmd"):
        start = next((place for place, word in enumerate(rest) if re.fullmatch(r"(?i:-c\w*|/[ck])", word)), len(rest))
        yield " ".join(rest[start + 1 :])
    if program in ("eval", "watch", "parallel"):
        yield " ".join(word for word in rest if not word.startswith("-"))
    if program == "ssh":
        yield " ".join(after_options(rest, SSH_VALUES, 1))
    if program == "env":
        # a whole command in one word: env -S "rm -rf x"
        yield from (rest[place + 1] for place, word in enumerate(rest[:-1]) if word == "-S")
        yield from (
            re.sub(r"^(?:-S|--split-string=)", "", word) for word in rest if re.match("-S.|--split-string=", word)
        )


def after_options(rest: Argv, values: str, own: int = 0, *, assignments: bool = False) -> Argv:
    """The words after a program's options and as many words of its own."""
    at = 0
    while at < len(rest):
        word = rest[at]
        if word == "--":
            at += 1
            if not own:
                break
        elif word.startswith("-") and len(word) > 1:
            at += 2 if len(word) == 2 and word[1] in values else 1
        elif assignments and re.match(r"\w+=", word):
            at += 1
        elif own:
            own, at = own - 1, at + 1
        else:
            break
    return rest[at:]


def _started(rest: Argv) -> Iterator[Argv]:
    """The commands between `-exec` and the `;` or `+` that ends each."""
    command: list[str] | None = None
    for word in rest:
        if command is None:
            command = [] if word in _STARTS else None
        elif word in (";", "+"):
            yield tuple(command)
            command = None
        else:
            command.append(word)
    if command is not None:
        yield tuple(command)
