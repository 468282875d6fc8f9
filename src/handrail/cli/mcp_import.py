"""`handrail mcp import`: a client's servers behind Handrail, and back."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sys
from pathlib import Path
from typing import Any

from handrail.cli import mcp_clients
from handrail.cli.exits import Exit, Failure
from handrail.cli.mcp_clients import Client, Rewritten
from handrail_mcp import config

Json = dict[str, Any]


def put_behind(name: str, client: Client, project: Path | None) -> tuple[Path, Rewritten]:
    """Rewrites the file, and keeps what it was."""
    file = client.file(project)
    text = _read(client, file)
    found = mcp_clients.rewritten(client, text, program())
    if found.gated:
        kept = _kept(name, file)
        before = _without_us(client, text, json.loads(kept.read_text())) if kept.exists() else text
        _write(kept, json.dumps({"file": str(file), "before": before, "after": found.text}), 0o600)
        _write(file, found.text, file.stat().st_mode & 0o777)
    return file, found


def put_back(name: str, client: Client, project: Path | None) -> Path:
    """The file as it was, byte for byte; if somebody changed it since, only our part of it."""
    file = client.file(project)
    kept = _kept(name, file)
    try:
        said: Json = json.loads(kept.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Failure(Exit.not_found, f"Nothing was imported from {file}.") from None
    text = _read(client, file)
    _write(file, _without_us(client, text, said), file.stat().st_mode & 0o777)
    kept.unlink()
    return file


def _without_us(client: Client, text: str, kept: Json) -> str:
    if text == kept["after"]:
        return kept["before"]
    if client.key == "mcp_servers":
        raise Failure(
            Exit.conflict,
            f"{kept['file']} was changed since the import. Take `handrail mcp wrap` out of its servers by hand; what "
            f"it was is in {config.home() / 'imports'}.",
        )
    return mcp_clients.restored(client, text, kept["before"], kept["after"])


def program() -> str:
    """This command, as a client can start it from anywhere."""
    beside = Path(sys.executable).with_name("handrail")
    return str(beside) if beside.exists() else shutil.which("handrail") or "handrail"


def _kept(name: str, file: Path) -> Path:
    mark = hashlib.sha256(os.fsencode(file.absolute())).hexdigest()[:8]
    return config.home() / "imports" / f"{name}-{mark}.json"


def _read(client: Client, file: Path) -> str:
    """Without translating line ends, which are part of the file."""
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        raise Failure(Exit.not_found, f"{client.title} has no servers here: {file} does not exist.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise Failure(Exit.refused, f"{file} cannot be read: {error}.") from error


def _write(file: Path, text: str, mode: int) -> None:
    """Replaces the file as a whole; a link is followed."""
    file = file.resolve()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(text.encode())
    draft.replace(file)
