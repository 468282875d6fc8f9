"""Commands that only read, and the options with which they still do."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .plain import Word


@dataclass(frozen=True, slots=True)
class Shape:
    """What may follow a command. Options are listed, as the next version may bring one that writes."""

    short: str = ""
    """Letters that may stand alone or together, such as `-la`."""
    valued: str = ""
    """Letters that take a value: `-n 5`, `-n5`."""
    long: frozenset[str] = frozenset()
    """Long options, complete: programs also take beginnings of them, and `--out` may be `--output`."""
    words: int | None = None
    """How many words may follow at most that are no options."""
    word: re.Pattern[str] | None = None
    """What these must look like."""
    numbers: bool = False
    """Whether `-5` is an option."""
    any_option: bool = False
    """No option of this program writes, deletes, sends or runs anything."""


def _shape(
    short: str = "",
    valued: str = "",
    long: str = "",
    words: int | None = None,
    word: str | None = None,
    numbers: bool = False,
) -> Shape:
    return Shape(short, valued, frozenset(long.split()), words, re.compile(word) if word else None, numbers)


_TAME = Shape(any_option=True)
_ONLY_READ = (
    "ls cat head wc grep egrep fgrep stat du df pwd whoami id groups uname nproc uptime free basename dirname"
    " realpath readlink which echo md5sum sha1sum sha256sum sha512sum cksum cut nl tac rev fold cmp comm join"
    " paste od seq true false lscpu lsblk"
)
"""Programs without any option that writes, deletes, sends or runs something."""
_LOG = (
    "--oneline --stat --shortstat --numstat --name-only --name-status --graph --all --decorate --no-decorate --patch"
    " --no-patch --format --pretty --author --committer --grep --since --until --after --before --max-count --follow"
    " --merges --no-merges --first-parent --reverse --date --abbrev-commit --cached --staged --word-diff --color"
    " --no-color --ignore-all-space --ignore-space-change --summary --diff-filter --branches --tags --remotes"
    " --no-index"
    " --no-ext-diff --no-textconv --exit-code --check --unified --minimal --raw --left-right --cherry-pick --topo-order"
    " --date-order --no-renames --find-renames --skip --full-index --abbrev --relative-date --show-signature"
    " --merge-base"
)
_KUBERNETES = (
    "--namespace --all-namespaces --output --selector --show-labels --field-selector --sort-by --no-headers --context"
    " --container --tail --since --timestamps --previous --all-containers --watch --limit --ignore-not-found"
)

SHAPES: dict[str, Shape] = {
    **dict.fromkeys(_ONLY_READ.split(), _TAME),
    "tail": _shape("qvz", "nc", "--lines --bytes --quiet --verbose --silent", numbers=True),
    "sort": _shape("bdfgiMhnRrVcCmsuz", "kt", "--reverse --unique --numeric-sort --key --field-separator --check"),
    "uniq": _shape("cdDiuz", "fsw", "--count --repeated --unique --ignore-case", words=1),
    "diff": _shape("qsuyrNibwBaEZtTdpc", "UCIxX", "--brief --unified --recursive --ignore-all-space --color --stat"),
    "tree": _shape("adfixpshugDFnCNQrtcU", "LPI", "--noreport --dirsfirst --du --prune --gitignore --inodes"),
    "file": _shape("bikLhNv0", "", "--brief --mime --mime-type --mime-encoding --dereference"),
    "date": _shape("uRI", "dr", "--utc --universal --iso-8601 --rfc-3339 --rfc-email --date --reference", word=r"\+.*"),
    "hostname": _shape("fisdIA", "", "--fqdn --ip-address --short --domain --all-ip-addresses", words=0),
    "ps": _shape("AadeflyFjHMTL", "opCuUGgt", "--forest --sort --pid --ppid --user --no-headers", word=r"[auxfjlvsw]+"),
    "rg": _shape(
        "ilLnNSsvwxcFHIopPUuq0.a",
        "eABCgtTmfMdEjr",
        "--files --hidden --no-ignore --glob --type --type-not --ignore-case --smart-case --fixed-strings --count"
        " --files-with-matches --files-without-match --line-number --no-line-number --context --after-context"
        " --before-context --max-count --max-depth --word-regexp --only-matching --json --stats --multiline --pcre2"
        " --column --heading --no-heading --sort --color --type-list --no-messages --invert-match --iglob --follow",
    ),
    "jq": _shape(
        "rcsnSeMCajRx", "", "--raw-output --compact-output --slurp --null-input --sort-keys --tab --exit-status"
    ),
    "git status": _shape("sbvuz", "", "--short --branch --porcelain --long --verbose --untracked-files --ignored"),
    "git log": _shape("pszcmiEFPwbu", "nLSGUM", _LOG, numbers=True),
    "git show": _shape("pszcmwbu", "nU", _LOG),
    "git diff": _shape("pszwbuRaM", "USGM", _LOG),
    "git blame": _shape(
        "lsefnwpctMC", "L", "--porcelain --line-porcelain --show-name --show-number --show-email --date"
    ),
    "git branch": _shape("avr", "", "--list --all --remotes --show-current --verbose --merged --no-merged", words=0),
    "git tag": _shape("ln", "", "--list --sort", words=0),
    "git remote": _shape("v", "", "--verbose", words=0),
    "git stash list": _shape("", "n", "--oneline --stat", words=0),
    "git rev-parse": _shape(
        "q", "", "--show-toplevel --abbrev-ref --short --verify --git-dir --is-inside-work-tree --symbolic-full-name"
    ),
    "git ls-files": _shape("cdmoksutvz", "x", "--cached --deleted --modified --others --stage --exclude-standard"),
    "git ls-tree": _shape("drtlz", "", "--name-only --long --full-tree --full-name"),
    "git describe": _shape("", "", "--tags --all --always --abbrev --exact-match --long --match"),
    "git shortlog": _shape("sne", "", "--summary --numbered --email --all --since --until"),
    "docker ps": _shape("aqsl", "nf", "--all --quiet --format --filter --no-trunc --latest --size --last", words=0),
    "docker images": _shape("aq", "f", "--all --quiet --format --filter --no-trunc --digests"),
    "docker logs": _shape("t", "n", "--tail --since --until --timestamps --details"),
    "kubectl get": _shape("Aw", "nolLc", _KUBERNETES),
    "kubectl describe": _shape("A", "nl", _KUBERNETES),
    "kubectl logs": _shape("p", "ncl", _KUBERNETES),
    "pip list": _shape("", "", "--format --user --local", words=0),
    "pip show": _shape("f", "", "--files --verbose"),
}

_FIND_WORDS = (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size"
    " -atime -ctime -mtime -amin -cmin -mmin -newer -newermt -anewer -cnewer -empty -user -group -uid -gid -perm -links"
    " -readable -writable -executable -inum -samefile -not -and -or -a -o -prune -print -print0 -ls -true -false -depth"
    " -mount -xdev -follow -daystart -noleaf -nouser -nogroup -quit -H -L -P -fstype -lname -ilname -used"
)
_FIND = frozenset(_FIND_WORDS.split())
"""What `find` may be asked and told; -exec, -delete, -fprint and their kin are not among it."""

DEFAULT: tuple[str, ...] = (*sorted(SHAPES), "find", "python --version", "node --version", "git --version")
"""The commands that only read unless the policy says otherwise."""

_NEVER_WORDS = (
    "env xargs sudo doas su bash sh zsh dash ksh fish python python3 perl ruby node php lua awk gawk mawk sed eval exec"
    " command builtin source nohup timeout nice time ssh vi vim less more man make docker git find tar zip busybox"
    " parallel watch script strace expect tclsh deno bun pip npm kubectl"
)
_NEVER = frozenset(_NEVER_WORDS.split())
"""An entry of one word for one of these would allow everything: they count only as a whole command."""
_RISKY_OPTION = re.compile(
    r"--?(?:exec|output|out|pre|pager|config|command|eval|delete|write|in-place|plugin|ext)\b.*|-[oxci]"
)


def is_listed_read(words: Sequence[Word], allowed: Collection[str]) -> bool:
    """Whether a simple command is one of those that the policy allows, and has no option that does more than read."""
    entry = _entry([word.text for word in words], allowed)
    if entry is None:
        return False
    program, rest = entry[0], words[len(entry) :]
    if program in _NEVER and " ".join(entry) not in SHAPES and entry != ("find",):
        return not rest and len(entry) > 1
    if entry == ("find",):
        return all(not word.opens_with_glob and (word.text[:1] != "-" or word.text in _FIND) for word in rest)
    shape = SHAPES.get(" ".join(entry))
    if shape is None:
        return all(not word.opens_with_glob and not _RISKY_OPTION.fullmatch(word.text) for word in rest)
    return _fits(shape, rest)


def _entry(argv: list[str], allowed: Collection[str]) -> tuple[str, ...] | None:
    """The longest entry of the list with which a command begins."""
    best: tuple[str, ...] | None = None
    for entry in allowed:
        words = tuple(entry.split())
        if words and tuple(argv[: len(words)]) == words and len(words) > len(best or ()):
            best = words
    return best


def _fits(shape: Shape, rest: Sequence[Word]) -> bool:
    if shape.any_option:
        return True
    plain: list[str] = []
    options = True
    at = 0
    while at < len(rest):
        word = rest[at]
        at += 1
        if word.text == "--" and options:
            options = False
        elif options and word.text.startswith("-") and word.text != "-":
            takes_next = _option(shape, word.text)
            if takes_next is None:
                return False
            if takes_next and at < len(rest):
                # an option in that place is one to those who think that this one takes no value
                if rest[at].text.startswith("-") or rest[at].opens_with_glob:
                    return False
                at += 1
        elif word.opens_with_glob and options:
            return False
        else:
            plain.append(word.text)
    return (shape.words is None or len(plain) <= shape.words) and all(
        shape.word is None or shape.word.fullmatch(text) for text in plain
    )


def _option(shape: Shape, option: str) -> bool | None:
    """Whether the next word belongs to an option; None where it is not one of those that only read."""
    if option.startswith("--"):
        # a value in the next word is a word like any other: no option of these takes a place to write to
        return False if option.partition("=")[0] in shape.long else None
    if shape.numbers and re.fullmatch(r"-[0-9]+", option):
        return False
    for place, letter in enumerate(option[1:], start=1):
        if letter in shape.valued:
            return place == len(option) - 1
        if letter not in shape.short:
            return None
    return False
