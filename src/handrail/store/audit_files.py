"""What the audit keeps outside the database: the key that seals it, the public keys, and signed heads."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from handrail.core.audit import PublicKey, Seal, Signer
from handrail.core.errors import Misconfigured
from handrail.store import private

# heads are written at most this often
HEAD_SECONDS = 1.0
# a file of heads is thinned out where it has grown to so many bytes, and then again where it has doubled
THIN_BYTES = 8 << 20
# so many of the newest all stay; of the older, the last of each hour
NEWEST_HEADS = 3600
_PUBLIC = re.compile(rb"-----BEGIN PUBLIC KEY-----.+?-----END PUBLIC KEY-----", re.DOTALL)


class KeyFile:
    """The private key, PEM, readable by its owner alone. Beside it: `.pub`, every public key that it ever had, oldest
    first, and for the length of a rotation `.next`, the key that follows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.public_path = path.with_suffix(".pub")
        self._next_path = path.with_name(f"{path.name}.next")

    def create(self) -> None:
        """Makes a key where there is none; safe for processes that start at once."""
        try:
            if not self.path.exists():
                self._create()
            self._publish(_load(self.path))
        except OSError as error:
            raise Misconfigured(
                f"The audit key {self.path} cannot be saved: {error.strerror}. Choose another data folder with --data, "
                "or another place with HANDRAIL_AUDIT_KEY_FILE."
            ) from error

    def _create(self) -> None:
        private.make_folder(self.path.parent)
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        _write_private(draft, Ed25519PrivateKey.generate())
        with suppress(FileExistsError):
            os.link(draft, self.path)
        draft.unlink()

    def signer(self, key_id: str | None = None) -> Signer:
        """The key, which must be the one of that id; a rotation that is on its way ends here."""
        current = _load(self.path)
        if key_id in (None, current.public.id):
            return current
        following = self.held(key_id)
        self._next_path.replace(self.path)
        self._publish(following)
        return following

    def held(self, key_id: str) -> Signer:
        """The key of that id, be it the one in use or the next."""
        current = _load(self.path)
        if key_id == current.public.id:
            return current
        if self._next_path.exists() and (following := _load(self._next_path)).public.id == key_id:
            return following
        raise Misconfigured(
            f"The log is sealed with the key {key_id}, and {self.path} (HANDRAIL_AUDIT_KEY_FILE) holds "
            f"{current.public.id}: bring the right key there. Where it is lost: `handrail audit rotate-key --lost`."
        )

    def prepare_next(self) -> Signer:
        """A new key that waits until the log names it; the one that waits already, where a rotation was broken off."""
        try:
            if not self._next_path.exists():
                _write_private(self._next_path, Ed25519PrivateKey.generate())
        except OSError as error:
            raise Misconfigured(f"The next audit key {self._next_path} cannot be saved: {error.strerror}.") from error
        return _load(self._next_path)

    def publics(self) -> list[PublicKey]:
        return read_public_keys(self.public_path)

    def _publish(self, signer: Signer) -> None:
        known = self.publics() if self.public_path.exists() else []
        if signer.public not in known:
            key = Ed25519PublicKey.from_public_bytes(signer.public.raw)
            with self.public_path.open("ab") as file:
                file.write(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def read_public_keys(path: Path) -> list[PublicKey]:
    """`Misconfigured` where the file cannot be read or holds none."""
    try:
        keys = [load_pem_public_key(block) for block in _PUBLIC.findall(path.read_bytes())]
    except (OSError, ValueError, UnsupportedAlgorithm) as error:
        raise Misconfigured(f"{path} cannot be read as public keys: {error}") from error
    found = [PublicKey(key.public_bytes_raw()) for key in keys if isinstance(key, Ed25519PublicKey)]
    if not found:
        raise Misconfigured(f"{path} holds no Ed25519 public key: give the `key.pub` next to the server's key")
    return found


def _load(path: Path) -> Signer:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise Misconfigured(f"{path} (HANDRAIL_AUDIT_KEY_FILE) cannot be read as a key: {error}") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise Misconfigured(f"{path} (HANDRAIL_AUDIT_KEY_FILE) is not an Ed25519 key")
    return Signer.of(key)


def _write_private(path: Path, key: Ed25519PrivateKey) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        file.flush()
        os.fsync(file.fileno())


class HeadFile:
    """The newest seal, appended now and then to a file that is not the database's."""

    def __init__(self, path: Path, thin_bytes: int = THIN_BYTES) -> None:
        self.path = path
        self._thin_at = self._thin_bytes = thin_bytes
        self._newest: Seal | None = None
        self._written_at = -HEAD_SECONDS

    def note(self, seal: Seal | None) -> None:
        """Takes up a seal, and writes the newest where that is due. OSError where the file cannot be written."""
        self._newest = seal or self._newest
        if self._newest is not None and time.monotonic() - self._written_at >= HEAD_SECONDS:
            self.write()

    def write(self) -> None:
        if self._newest is not None:
            newest, self._newest = self._newest, None
            self._written_at = time.monotonic()
            private.make_folder(self.path.parent)
            with self.path.open("a") as file:
                file.write(json.dumps(newest.document()) + "\n")
                size = file.tell()
            if size >= self._thin_at:
                # where files may only be appended to, this one just grows
                with suppress(OSError):
                    size = _thin(self.path)
                self._thin_at = max(self._thin_bytes, 2 * size)


def _thin(path: Path) -> int:
    """The file's size without the heads that others stand for; one of an hour proves all that came before it."""
    lines = path.read_text().splitlines(keepends=True)
    older, newest = lines[:-NEWEST_HEADS], lines[-NEWEST_HEADS:]
    # a moment's first 13 characters name its hour
    last_of_hour = {json.loads(line)["at"][:13]: line for line in older if line.endswith("\n")}
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text("".join([*last_of_hour.values(), *newest]))
    draft.replace(path)
    return path.stat().st_size


def read_heads(path: Path) -> Sequence[Seal]:
    """A last line that a crash cut off is left out; `Misconfigured` names any other that is no head."""
    try:
        lines = path.read_text().splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"{path} cannot be read: {error}") from error
    heads: list[Seal] = []
    for number, line in enumerate(lines, 1):
        if not line.endswith("\n"):
            continue
        try:
            heads.append(Seal.of(json.loads(line)))
        except (KeyError, TypeError, ValueError) as error:
            raise Misconfigured(f"{path}:{number} is not a signed head") from error
    return heads
