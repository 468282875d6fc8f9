"""What a process that runs users' graphs finds around it: whose it is, and which variables it has."""

from __future__ import annotations

import os
import pwd
from collections.abc import Mapping
from typing import NamedTuple

from psycopg.conninfo import conninfo_to_dict

from handrail.core.errors import Misconfigured
from handrail.engine.kinds import Kinds, Owner
from handrail.settings import PREFIX, Settings, is_ours

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


def environment(settings: Settings, kinds: Kinds, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables that it has: common ones, those that the operator or a workflow names, and where workflows are
    named. None of our settings, whoever names them."""
    read = (name for kind in kinds if kind.owner is Owner.theirs for name in kind.variables(settings))
    passed = {*COMMON, *settings.child_env, *(name for name in read if not name.upper().startswith(PREFIX))}
    found = {name: given[name] for name in given if name in passed or name.startswith(COMMON_PREFIXES)}
    becomes = user(settings)
    if becomes is not None:
        found["HOME"] = becomes.home
    if settings.workflows is not None:
        found["HANDRAIL_WORKFLOWS_FILE"] = str(settings.workflows)
    return found


def others_variables(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What a process of ours has in addition: all but our settings, which it gets as a value.

    Libraries of models read theirs by themselves, and nobody knows them all: keys, regions, proxies, certificates.
    """
    return {name: value for name, value in given.items() if not is_ours(name)}


def socket_folder(dsn: str) -> str | None:
    """The folder of the database's socket, which another user may not be able to reach by its path."""
    host = conninfo_to_dict(dsn).get("host")
    return host if isinstance(host, str) and host.startswith("/") else None
