"""What `handrail login` leaves behind: one token per server, in a file that only its owner can read."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from handrail.cli.exits import Exit, Failure


@dataclass(frozen=True, slots=True)
class Credential:
    token: str
    token_id: str
    name: str
    expires_at: str

    @property
    def expired(self) -> bool:
        return datetime.fromisoformat(self.expires_at) <= datetime.now(UTC)


def path() -> Path:
    """`handrail/credentials.json` in the user's config folder."""
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "handrail" / "credentials.json"


def find(url: str) -> Credential | None:
    """The credential for a server, expired or not."""
    return _read().get(url)


def keep(url: str, credential: Credential) -> None:
    _write({**_read(), url: credential})


def drop(url: str) -> None:
    _write({known: credential for known, credential in _read().items() if known != url})


def _read() -> dict[str, Credential]:
    try:
        return {url: Credential(**entry) for url, entry in json.loads(path().read_text()).items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise Failure(
            Exit.refused, f"{path()} is not a valid credentials file. Remove it and run `handrail login` again."
        ) from error


def _write(entries: dict[str, Credential]) -> None:
    """Replaces the file whole; its mode is 0600 from its first moment."""
    file = path()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        json.dump({url: asdict(entry) for url, entry in entries.items()}, out, indent=2)
    draft.replace(file)
