"""Paths relative to the root of a repository. None stands for a path that leads out of it."""

from posixpath import normpath


def join(folder: str, path: str) -> str | None:
    """`path` seen from `folder`; `.` is the root."""
    joined = normpath(f"{folder}/{path}" if folder not in {"", "."} else path or ".")
    return None if joined == ".." or joined.startswith(("../", "/")) else joined


def parent(path: str) -> str:
    return path.rpartition("/")[0] or "."


def upwards(folder: str) -> list[str]:
    """A folder and all above it, down to the root."""
    found = [folder]
    while folder != ".":
        folder = parent(folder)
        found.append(folder)
    return found
