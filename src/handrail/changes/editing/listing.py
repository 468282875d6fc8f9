"""The files of a tree, for tools that look at many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

import pathspec

from handrail.changes.editing.errors import BadArguments, NoFile
from handrail.changes.editing.trees import Tree


class Listing(Tree, Protocol):
    def files(self) -> Iterable[str]:
        """Paths of all files, sorted; without git's own, links, and what package managers and tools leave."""
        ...


def matching(tree: Listing, patterns: Sequence[str]) -> Iterator[str]:
    """Files that one of the patterns names: a path, a folder, or a glob as in .gitignore. Raises NoFile for none."""
    if not patterns:
        raise BadArguments("`paths` is empty. Name files or folders, or `**` for all.")
    try:
        spec = pathspec.GitIgnoreSpec.from_lines(f"/{each.lstrip('/')}" for each in patterns)
    except ValueError as error:
        raise BadArguments(f"`paths` has a pattern that cannot be read: {error}") from None
    found = [path for path in tree.files() if spec.match_file(path)]
    if not found:
        raise NoFile(f"No file is named by {', '.join(patterns)}.")
    return iter(found)
