"""What a process that runs users' graphs finds around it: whose it is, and which variables it has."""

from __future__ import annotations

import os
import pwd
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from psycopg.conninfo import conninfo_to_dict

from handrail.core.errors import Misconfigured
from handrail.settings import PREFIX, Settings

# the first of those that systemd gives to services without an account: it owns nothing
NOBODYS = 61184
# what programs need to find their files, speak a language and tell the time
COMMON = frozenset({"PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR", "HOME"})
COMMON_PREFIXES = ("LC_", "PYTHON")


class User(NamedTuple):
    uid: int
    gid: int
    home: str


def user(settings: Settings) -> User | None:
    """Whom such a process becomes; nothing where it stays who we are: only root can become another."""
    if os.geteuid() != 0 or settings.child_user in {"root", "0"}:
        return None
    if settings.child_user is None:
        return User(NOBODYS, NOBODYS, "/nonexistent")
    try:
        if settings.child_user.isdecimal():
            uid = int(settings.child_user)
            return User(uid, uid, "/nonexistent")
        known = pwd.getpwnam(settings.child_user)
    except KeyError:
        raise Misconfigured(f"HANDRAIL_CHILD_USER: this machine has no user {settings.child_user!r}") from None
    return User(known.pw_uid, known.pw_gid, known.pw_dir)


def environment(settings: Settings, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that it has: common ones, those that the operator names, and where workflows are named."""
    passed = {*COMMON, *settings.child_env, *_secrets_of_executors(settings.workflows)}
    found = {name: given[name] for name in given if name in passed or name.startswith(COMMON_PREFIXES)}
    becomes = user(settings)
    if becomes is not None:
        found["HOME"] = becomes.home
    if settings.workflows is not None:
        found["HANDRAIL_WORKFLOWS_FILE"] = str(settings.workflows)
    return found


def _secrets_of_executors(file: Path | None) -> Iterable[str]:
    """Variables that executors of the file name; what is wrong with it is told where they are loaded."""
    try:
        tables: Any = tomllib.loads(file.read_text(encoding="utf-8")).get("executors", {}) if file else {}
    except (OSError, ValueError):
        return
    entries: list[Any] = list(cast("dict[str, Any]", tables).values()) if isinstance(tables, dict) else []
    for entry in entries:
        name = cast("dict[str, Any]", entry).get("secret_env") if isinstance(entry, dict) else None
        if isinstance(name, str) and not name.upper().startswith(PREFIX):
            yield name


def socket_folder(dsn: str) -> str | None:
    """The folder of the database's socket, which another user may not be able to reach by its path."""
    host = conninfo_to_dict(dsn).get("host")
    return host if isinstance(host, str) and host.startswith("/") else None
