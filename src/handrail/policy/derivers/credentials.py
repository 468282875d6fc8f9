"""Paths that hold secrets, including shell patterns that could match one."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache
from posixpath import normpath

_FOLDERS = (
    ".ssh .aws .gnupg .kube .azure .docker .password-store .gcloud gcloud .oci .chef .vault keychains keyrings .mozilla"
    " .thunderbird google-chrome .bitcoin secrets .secrets secret private-keys-v1.d .terraform.d .sops .age"
    " .handrail"
)
_FILES = (
    ".env .env.* *.env .envrc .netrc _netrc .pgpass .my.cnf .mylogin.cnf .npmrc .pypirc .git-credentials .htpasswd"
    " .boto .s3cfg .vault-token .dockercfg .dockerconfigjson id_rsa* id_dsa* id_ecdsa* id_ed25519* *.pem *.key *.p12"
    " *.pfx *.jks *.keystore *.kdbx *.asc *.gpg *.ppk *.ovpn *.keytab *.jwk shadow shadow- gshadow gshadow- sudoers"
    " master.passwd ntds.dit credentials credentials.* *credentials*.json *credentials*.y*ml secrets.* secret.*"
    " *.secret *_secret *_secrets service-account*.json service_account*.json token .token kubeconfig kubeconfig.*"
    " *.kubeconfig terraform.tfstate* *.tfvars *.tfvars.json wp-config.php cookies.sqlite logins.json key4.db *_history"
    " handrail.toml auth.json oauth_creds.json"
    " environ vault.yml *passwords* *password.txt *apikey* *api_key* *private_key* get-secret-value"
)
_PLACES = re.compile(
    r"/run/secrets|(?:^|/)gh/hosts\.yml|/etc/ssl/private|/etc/sudoers|/etc/letsencrypt/live|/etc/kubernetes/pki|/proc/[^/]+/(?:mem|fd)\b"
    r"|(?:^|/)(?:\.config|\.local/(?:share|state))/handrail(?:/|$)"
    r"|(?:^|/)\.git/config$|/proc/kcore|^/dev/(?:sd|hd|vd|xvd|nvme|mmcblk|dm-|md|loop|disk/|mapper/|r?disk[0-9]|k?mem$|port$)"
)
"""Disks and memory hold every secret of the machine; git's settings often have a token in an address or a header; and
with Handrail's own files an agent could get past it."""
_TRAILS = (
    (".config", "handrail"),
    (".local", "share", "handrail"),
    (".local", "state", "handrail"),
    (".git", "config"),
)
"""Places that no single name gives away, for patterns of the shell."""
_HARMLESS = (".env.example", ".env.sample", ".env.template", ".env.dist", ".pub")
_SAMPLES = tuple(name.replace("*", "x") for name in f"{_FOLDERS} {_FILES}".split())
"""One name for each kind, to see whether a pattern of the shell would find it."""
_SECRET = re.compile("|".join(translate(name) for name in f"{_FOLDERS} {_FILES}".split()))
_HOMES = re.compile(
    r"/|(?:/(?:home|users)|~[\w.-]*|/root|/(?:home|users)/[^/]+)(?:/\.config|/\.local(?:/share)?)?|/(?:etc|proc|run|var/run)"
    r"|\.\.(?:/\.\.)+"
)
_PATTERNS = re.compile(r"(?:/[^/]*[*?\[][^/]*)+$")
_MAX_PATH = 4096
"""The limit of operating systems; nothing longer is an honest path."""
_LONGEST_REMEMBERED = 60
_MAX_STEPS = 64
_MAX_GLOB = 64
"""Longer patterns are taken for one of a secret: nobody needs them, and matching takes time."""
_STARTUP = re.compile(
    r"(?:^|/)\.(?:bashrc|bash_profile|profile|zshrc|zshenv|zprofile|bash_aliases|inputrc|vimrc|gitconfig|tmux\.conf)$"
    r"|(?:^|/)\.git/(?:hooks|config)|(?:^|/)(?:authorized_keys|crontab|sitecustomize\.py)$"
    r"|^/(?:etc|boot|usr|lib|bin|sbin|dev|sys|proc)/|/systemd/|/LaunchAgents/|/autostart/|(?:^|/)\.husky/"
)


def is_credential(path: str, *, globs: bool = False) -> bool:
    """Whether a path is one of those where secrets are kept. With `globs`, `*`, `?` and `[…]` stand for other text."""
    if len(path) > _MAX_PATH:
        return True
    return _known(path, globs) if len(path) <= _LONGEST_REMEMBERED else _is_credential(path, globs)


def _is_credential(path: str, globs: bool) -> bool:
    lower = re.sub(r"/[./]*(?<=/)", "/", path.lower().replace("\\", "/"))
    if _PLACES.search(lower):
        return True
    # `git show HEAD:.env`, `--file=.env`, `@.env` and `-d@.env` as curl takes it, `-f.env`, `{.env,x}`
    steps = {step for step in re.split(r"[/:=@,{}]", lower) if step}
    if any(_is_secret(step) or (step[0] == "-" and _is_secret(step[2:])) for step in steps):
        return True
    return globs and re.search(r"[*?\[]", lower) is not None and _may_find(lower, steps)


# options, names of branches and of folders come again and again
_known = lru_cache(10_000)(_is_credential)


def holds_credentials(path: str) -> bool:
    """Whether what is below a folder surely includes secrets: the root, somebody's home, /etc; or may, as `../..`."""
    folder = re.sub("^//", "/", normpath(path.lower()))
    return len(path) > _MAX_PATH or _HOMES.fullmatch(folder) is not None


def is_startup(path: str) -> bool:
    """Whether what is written to a path will be run or obeyed later: profiles, hooks, /etc."""
    return _STARTUP.search(path[:4096]) is not None


def _is_secret(name: str) -> bool:
    return _SECRET.fullmatch(name) is not None and not name.endswith(_HARMLESS)


def _may_find(path: str, steps: set[str]) -> bool:
    parent = path.rpartition("/")[0]
    # `/etc/*/*` finds what `/etc/*` does not
    if parent and not parent.startswith("..") and holds_credentials(_PATTERNS.sub("", parent) or "/"):
        return True
    if _leads_to_a_place(path):
        return True
    # a bare `*` leaves out names that begin with a dot, and is too common to be meant for the others
    patterns = [step for step in steps if re.search(r"[*?\[]", step) and step.strip("*")]
    return any(len(step) > _MAX_GLOB or _finds(step) for step in patterns)


def _finds(pattern: str) -> bool:
    expression = re.compile(translate(pattern))
    return any(_is_found(expression, pattern, name) for name in _SAMPLES)


def _leads_to_a_place(path: str) -> bool:
    """Whether steps of the path, one after another, could be those of a trail: `.config/h*`."""
    steps = path.split("/")[:_MAX_STEPS]
    if any(len(step) > _MAX_GLOB for step in steps):
        return True
    found = [(re.compile(translate(step)), step) for step in steps]
    return any(
        all(
            step and _is_found(expression, step, name)
            for (expression, step), name in zip(found[at:], trail, strict=False)
        )
        for trail in _TRAILS
        for at in range(len(found) - len(trail) + 1)
    )


def _is_found(expression: re.Pattern[str], pattern: str, name: str) -> bool:
    # a pattern finds names that begin with a dot only where it begins with one itself
    return expression.fullmatch(name) is not None and (name[0] != "." or pattern[0] in ".[")
