"""`create`, `delete` and `move`: whole files."""

from __future__ import annotations

from handrail.changes.editing.desk import Edit, absent
from handrail.changes.editing.errors import BadArguments, NoFile
from handrail.changes.editing.placing import expect
from handrail.changes.editing.texts import lines_of
from handrail.changes.editing.trees import File, Tree


def create(tree: Tree, path: str, text: str) -> tuple[Edit, ...]:
    """A new text file with Unix line endings and a final newline."""
    absent(tree, path)
    lines = lines_of(text, "text")
    return (Edit(path, None, File("".join(f"{line}\n" for line in lines).encode())),)


def delete(tree: Tree, path: str, hash: str) -> tuple[Edit, ...]:  # noqa: A002
    return (Edit(path, _file(tree, path, hash), None),)


def move(tree: Tree, path: str, hash: str, to: str) -> tuple[Edit, ...]:  # noqa: A002
    """The file under another path, mode included; what imports it is not changed."""
    if path == to:
        raise BadArguments(f"{path} is there already.")
    file = _file(tree, path, hash)
    absent(tree, to)
    return (Edit(to, None, file), Edit(path, file, None))


def _file(tree: Tree, path: str, given: str) -> File:
    file = tree.read(path)
    if file is None:
        raise NoFile(f"There is no file {path}.")
    expect(path, file.data, given)
    return file
