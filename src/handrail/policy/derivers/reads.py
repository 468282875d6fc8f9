"""Commands that only read, and the options with which they still do."""

from __future__ import annotations

import re
from dataclasses import dataclass


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
    whole: frozenset[str] = frozenset()
    """Options that are words after one dash, as `find` has them."""
    never: re.Pattern[str] | None = None
    """What no word may contain."""


def _shape(
    short: str = "",
    valued: str = "",
    long: str = "",
    words: int | None = None,
    word: str | None = None,
    numbers: bool = False,
    never: str | None = None,
) -> Shape:
    return Shape(
        short,
        valued,
        frozenset(long.split()),
        words,
        re.compile(word) if word else None,
        numbers,
        never=re.compile(never) if never else None,
    )


_TAME = Shape(any_option=True)
_ONLY_READ = (
    "ls cat head wc stat du df pwd whoami id groups uname nproc uptime free basename dirname"
    " realpath readlink which echo md5sum sha1sum sha256sum sha512sum cksum cut nl tac rev fold cmp comm join"
    " paste od seq true false lscpu lsblk"
)
"""Programs without any option that writes, deletes, sends or runs something."""
_LOG = (
    "--oneline --stat --shortstat --numstat --name-only --name-status --graph --all --decorate --no-decorate --patch"
    " --no-patch --format --pretty --author --committer --grep --since --until --after --before --max-count --follow"
    " --merges --no-merges --first-parent --reverse --date --abbrev-commit --cached --staged --word-diff --color"
    " --no-color --ignore-all-space --ignore-space-change --summary --diff-filter --branches --tags --remotes"
    " --no-index --no-ext-diff --no-textconv --exit-code --check --unified --minimal --raw --left-right --cherry-pick"
    " --topo-order --date-order --no-renames --find-renames --skip --full-index --abbrev --relative-date --merge-base"
)
_SIGNED = r"^--(?:format|pretty)=.*%[-+ ]?G"
"""Placeholders of signatures, `%+G?` too: for these git runs the program that the repository's settings name."""
_KUBERNETES = (
    "--namespace --all-namespaces --output --selector --show-labels --field-selector --sort-by --no-headers --context"
    " --container --tail --since --timestamps --previous --all-containers --limit --ignore-not-found"
)

_FIND = (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -maxdepth -mindepth -size"
    " -atime -ctime -mtime -amin -cmin -mmin -newer -newermt -anewer -cnewer -empty -user -group -uid -gid -perm -links"
    " -readable -writable -executable -inum -samefile -not -and -or -a -o -prune -print -print0 -printf -ls -true"
    " -false -depth -mount -xdev -follow -daystart -noleaf -nouser -nogroup -quit -H -L -P -fstype -lname -ilname -used"
)
"""What `find` may be asked and told; -exec, -delete, -fprint and their kin are not among it."""

SHAPES: dict[str, Shape] = {
    "find": Shape(whole=frozenset(_FIND.split())),
    **dict.fromkeys(_ONLY_READ.split(), _TAME),
    # where ugrep stands in for it, these run programs or write
    **dict.fromkeys(("grep", "egrep", "fgrep"), Shape(any_option=True, never=re.compile("--(?:filt|pag|vi|sa|conf)"))),
    "tail": _shape("qvz", "nc", "--lines --bytes --quiet --verbose --silent", numbers=True),
    "sort": _shape("bdfgiMhnRrVcCmsuz", "kt", "--reverse --unique --numeric-sort --key --field-separator --check"),
    "uniq": _shape("cdDiuz", "fsw", "--count --repeated --unique --ignore-case", words=1),
    "diff": _shape("qsuyrNibwBaEZtTdpc", "UCIxX", "--brief --unified --recursive --ignore-all-space --color"),
    "tree": _shape("adfixpshugDFnCNQrtcU", "LPI", "--noreport --dirsfirst --du --prune --gitignore --inodes"),
    "file": _shape("bikLhNv0", "", "--brief --mime --mime-type --mime-encoding --dereference"),
    "date": _shape("uRI", "dr", "--utc --universal --iso-8601 --rfc-3339 --rfc-email --date --reference", word=r"\+.*"),
    "hostname": _shape("fisdIA", "", "--fqdn --ip-address --short --domain --all-ip-addresses", words=0),
    "ps": _shape("AadefFlyjHMTL", "opC", "--forest --sort --pid --ppid --user --no-headers", word=r"[auxfjlvsw]+"),
    "rg": _shape(
        "ilLnNSsvwxcFHIopPUuq0.a",
        "eABCgtTmfMdEjr",
        "--files --hidden --no-ignore --glob --type --type-not --ignore-case --smart-case --fixed-strings --count"
        " --files-with-matches --files-without-match --line-number --no-line-number --context --after-context"
        " --before-context --max-count --max-depth --word-regexp --only-matching --json --stats --multiline --pcre2"
        " --column --heading --no-heading --sort --color --type-list --no-messages --invert-match --iglob --follow",
    ),
    "jq": _shape(
        "rcsnSeMCajR",
        "",
        "--raw-output --compact-output --slurp --null-input --sort-keys --tab --exit-status",
        # what reads the environment or other files
        never=r"\benv\b|ENV|import|include|input_filename",
    ),
    "git status": _shape("sbvuz", "", "--short --branch --porcelain --long --verbose --untracked-files --ignored"),
    "git log": _shape("pszcmiEFPwbuM", "nLSGU", _LOG, numbers=True, never=_SIGNED),
    "git show": _shape("pszcmwbuM", "nU", _LOG, never=_SIGNED),
    "git diff": _shape("pszwbuRaM", "USG", _LOG, never=_SIGNED),
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
    "kubectl get": _shape("A", "nolL", _KUBERNETES),
    "kubectl describe": _shape("A", "nl", _KUBERNETES),
    "kubectl logs": _shape("p", "ncl", _KUBERNETES),
    "pip list": _shape("", "", "--format --user --local", words=0),
    "pip show": _shape("f", "", "--files --verbose"),
}

DEFAULT: tuple[str, ...] = (*sorted(SHAPES), "python --version", "node --version", "git --version")
"""The commands that only read unless the policy says otherwise."""
