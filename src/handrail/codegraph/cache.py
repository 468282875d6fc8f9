"""What earlier runs found, one database file a repository: facts by path and content hash, and how all names were
resolved, for exactly the same files."""

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

_SCHEMA = """
CREATE TABLE IF NOT EXISTS facts (path TEXT PRIMARY KEY, key TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS resolved (key TEXT NOT NULL, data BLOB NOT NULL);
"""


@cache
def reader_version() -> str:
    """A digest of the code that reads and resolves files: what another version found is never used."""
    folder = Path(__file__).parent
    parts = [*sorted((folder / "languages").rglob("*.*")), *sorted((folder / "resolve").glob("*.py"))]
    digest = hashlib.sha256()
    for source in (folder / "facts.py", folder / "reading.py", *parts):
        if source.suffix in {".py", ".scm"}:
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def key_of(content_hash: str) -> str:
    return f"{reader_version()}:{content_hash}"


def default_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "handrail" / "codegraph"


class FactsCache:
    """Use as a context manager. A file that is no database any more is replaced, never an error."""

    def __init__(self, folder: Path, root: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = folder / f"{hashlib.sha256(str(root.resolve()).encode('utf-8', 'replace')).hexdigest()[:20]}.db"

    def __enter__(self) -> Self:
        try:
            self._open()
        except sqlite3.DatabaseError:
            self._path.unlink()
            self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def load(self) -> dict[str, tuple[str, bytes]]:
        """Path → (key, encoded facts)."""
        rows = self._connection.execute("SELECT path, key, data FROM facts")
        return {path: (key, data) for path, key, data in rows}

    def save(self, rows: Iterable[tuple[str, str, bytes]], gone: Iterable[str] = ()) -> None:
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)
            self._connection.executemany("DELETE FROM facts WHERE path = ?", ((path,) for path in gone))

    def resolved(self, key: str) -> bytes | None:
        """What was kept under this key."""
        row = self._connection.execute("SELECT data FROM resolved WHERE key = ?", (key,)).fetchone()
        return row[0] if row is not None else None

    def keep_resolved(self, key: str, data: bytes) -> None:
        """In the place of what was kept before."""
        with self._connection:
            self._connection.execute("DELETE FROM resolved")
            self._connection.execute("INSERT INTO resolved VALUES (?, ?)", (key, data))

    def _open(self) -> None:
        self._connection = sqlite3.connect(self._path, timeout=10, check_same_thread=False)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.executescript(_SCHEMA)
