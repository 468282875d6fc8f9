"""Where the server of a data folder is reached, for commands that make links to it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from handrail.store import private

NAME = "address"


@contextmanager
def told(data: Path, url: str) -> Generator[None]:
    """For as long as the server runs. After a crash the file stays: the address is most likely the next one too."""
    file = data / NAME
    # keys and the database may lie elsewhere: then nothing has made it
    private.make_folder(data)
    file.write_text(url)
    try:
        yield
    finally:
        # another server of the same data may have come since
        if read(data) == url:
            file.unlink(missing_ok=True)


def read(data: Path) -> str | None:
    try:
        return (data / NAME).read_text().strip() or None
    except OSError:
        return None
