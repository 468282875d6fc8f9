"""Where files are: a folder that nothing leads out of."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Protocol

from handrail.changes.editing.errors import BadPath, NoFile, NotText
from handrail.changes.editing.texts import MAX_BYTES

_MAX_PATH = 1_000
_LEFT_OUT = frozenset(
    {".git", "node_modules", "__pycache__", ".venv", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class File(NamedTuple):
    data: bytes
    is_executable: bool = False


class Tree(Protocol):
    """Files by path, relative to the root, with `/` between the parts."""

    def read(self, path: str) -> File | None:
        """None where no file is. Raises Refused for a path that is no file of this tree."""
        ...

    def write(self, path: str, file: File) -> None: ...

    def delete(self, path: str) -> None: ...


def checked(path: str) -> tuple[str, ...]:
    """The parts of a path that stays inside. Raises BadPath."""
    if not path or len(path.encode("utf-8", "replace")) > _MAX_PATH:
        raise BadPath(f"A path has 1 to {_MAX_PATH} bytes.")
    if not path.isprintable() or "\\" in path:
        raise BadPath(f"{path!r} is not a path: it holds a backslash or characters that cannot be seen.")
    if path.startswith("/") or (len(path) > 1 and path[1] == ":"):
        raise BadPath(f"{path} is absolute. Give the path from the root of the repository, such as `src/app.py`.")
    parts = tuple(path.split("/"))
    if any(part in {"", ".", ".."} for part in parts):
        raise BadPath(f"{path} has an empty part, `.` or `..`. Give the plain path from the root of the repository.")
    if any(part.lower().rstrip(". ") == ".git" for part in parts):
        raise BadPath(f"{path} is git's own: its files cannot be read or edited here.")
    return parts


class Folder:
    """A folder on disk. No link is followed, in no part of a path, not even one that appears meanwhile: each part is
    opened from the one before. Writing replaces the file at once and keeps its mode."""

    def __init__(self, root: Path, max_bytes: int = MAX_BYTES) -> None:
        self._root = root
        self._max_bytes = max_bytes

    def read(self, path: str) -> File | None:
        try:
            with self._parent(path) as (folder, name):
                descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
                with os.fdopen(descriptor, "rb") as stream:
                    mode = os.fstat(stream.fileno()).st_mode
                    if not stat.S_ISREG(mode):
                        raise BadPath(f"{path} is {'a folder' if stat.S_ISDIR(mode) else 'not a regular file'}.")
                    data = stream.read(self._max_bytes + 1)
        except FileNotFoundError:
            return None
        if len(data) > self._max_bytes:
            raise NotText(f"{path} has more than {self._max_bytes:,} bytes; such files are not edited.")
        return File(data, bool(mode & stat.S_IXUSR))

    def write(self, path: str, file: File) -> None:
        if self.read(path) is None:
            self._make_folders(checked(path)[:-1])
        with self._parent(path) as (folder, name):
            temporary = f".{secrets.token_hex(8)}.tmp"
            mode = 0o755 if file.is_executable else 0o644
            try:
                descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode, dir_fd=folder)
                with os.fdopen(descriptor, "wb") as stream:
                    os.fchmod(stream.fileno(), _mode(folder, name, mode))
                    stream.write(file.data)
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(OSError):
                    os.unlink(temporary, dir_fd=folder)
                raise

    def delete(self, path: str) -> None:
        """Folders that it leaves empty go too, as in git."""
        try:
            with self._parent(path) as (folder, name):
                os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            raise NoFile(f"There is no file {path}.") from None
        parts = checked(path)[:-1]
        with suppress(OSError):
            for end in range(len(parts), 0, -1):
                with self._parent("/".join(parts[:end])) as (folder, name):
                    os.rmdir(name, dir_fd=folder)

    def files(self) -> list[str]:
        """Paths of all files, sorted; without git's own, links, and what package managers and tools leave."""
        found: list[str] = []
        for folder, names, files in os.walk(self._root):
            names[:] = [name for name in names if name.lower() not in _LEFT_OUT]
            base = Path(folder).relative_to(self._root)
            entries = [base / name for name in files if stat.S_ISREG(os.lstat(f"{folder}/{name}").st_mode)]
            found.extend(path.as_posix() for path in entries if path.as_posix().isprintable())
        return sorted(found)

    def _make_folders(self, parts: tuple[str, ...]) -> None:
        for end in range(1, len(parts) + 1):
            with self._parent("/".join(parts[:end])) as (folder, name), suppress(FileExistsError):
                os.mkdir(name, dir_fd=folder)

    @contextmanager
    def _parent(self, path: str) -> Generator[tuple[int, str]]:
        """(descriptor of the folder that holds it, its name there)."""
        *folders, name = checked(path)
        descriptor = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for folder in folders:
                inner = os.open(folder, _FOLDER, dir_fd=descriptor)
                os.close(descriptor)
                descriptor = inner
            yield descriptor, name
        except OSError as error:
            raise _refusal(path, error) from None
        finally:
            os.close(descriptor)


def _mode(folder: int, name: str, otherwise: int) -> int:
    """The mode of the file that is replaced."""
    try:
        return stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode) & 0o777
    except FileNotFoundError:
        return otherwise


def _refusal(path: str, error: OSError) -> Exception:
    match error.errno:
        case errno.ELOOP:
            return BadPath(f"{path} is a symbolic link, or leads through one. Links are not followed.")
        case errno.ENOTDIR:
            return BadPath(f"{path} leads through a file or a symbolic link as if it were a folder.")
        case errno.EISDIR:
            return BadPath(f"{path} is a folder.")
        case errno.ENAMETOOLONG:
            return BadPath(f"{path} has a part that is too long for a file's name.")
        case _:
            return error
