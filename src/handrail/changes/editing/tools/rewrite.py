"""`rewrite`: every place that has a pattern's shape, by ast-grep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ast_grep_py import SgNode, SgRoot

from handrail.changes.editing.desk import Edit, existing
from handrail.changes.editing.errors import BadArguments, Refused
from handrail.changes.editing.listing import Listing, matching
from handrail.changes.editing.texts import decode
from handrail.codegraph.languages import suffix_of

_LANGUAGES = {
    ".py": "python", ".pyi": "python", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript",
    ".cjs": "javascript", ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx",
    ".java": "java", ".cs": "csharp", ".go": "go", ".rs": "rust", ".c": "c", ".h": "c", ".cpp": "cpp", ".cc": "cpp",
    ".hpp": "cpp", ".rb": "ruby", ".php": "php", ".kt": "kotlin", ".swift": "swift", ".scala": "scala",
}  # fmt: skip
_VARIABLE = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")
_SHOWN = 20


class _Place(NamedTuple):
    path: str
    line: int
    start: int
    end: int
    text: str


def rewrite(tree: Listing, pattern: str, replacement: str, paths: Sequence[str], expect_count: int) -> tuple[Edit, ...]:
    """`$A` stands for one node, `$$$ARGS` for several. Raises BadArguments where the number of places is not the
    expected one, and names them. Places inside one another count once: the outer one."""
    edits: list[Edit] = []
    places: list[_Place] = []
    for path in matching(tree, paths):
        language = _LANGUAGES.get(suffix_of(path))
        if language is None:
            continue
        try:
            file, _ = existing(tree, path)
        except Refused:
            continue  # links and binary files among those that a pattern names
        mark = "\ufeff" if file.data.startswith(b"\xef\xbb\xbf") else ""
        source = file.data.decode().removeprefix(mark)
        found = list(_outer(_places(path, source, language, pattern, replacement)))
        places.extend(found)
        if found:
            edits.append(Edit(path, file, file._replace(data=(mark + _made(source, found)).encode())))
    if len(places) != expect_count:
        listed = "\n".join(f"- {place.path}:{place.line}" for place in places[:_SHOWN])
        raise BadArguments(
            f"The pattern has {len(places)} places, not {expect_count}; nothing was changed."
            + (f"\n{listed}\nNarrow the pattern or `paths`, or expect {len(places)}." if places else "")
        )
    for edit in edits:
        assert edit.after is not None
        decode(edit.path, edit.after.data)
    return tuple(edits)


def _places(path: str, source: str, language: str, pattern: str, replacement: str) -> Iterator[_Place]:
    try:
        nodes = SgRoot(source, language).root().find_all(pattern=pattern)
    except RuntimeError as error:
        raise BadArguments(f"The pattern cannot be read: {str(error).partition(chr(10))[0][:200]}") from None
    for node in nodes:
        where = node.range()
        text = _filled(replacement, node, source)
        yield _Place(path, where.start.line + 1, where.start.index, where.end.index, text)


def _outer(places: Iterator[_Place]) -> Iterator[_Place]:
    end = -1
    for place in sorted(places, key=lambda each: (each.start, -each.end)):
        if place.start >= end:
            yield place
            end = place.end


def _made(source: str, places: Sequence[_Place]) -> str:
    for place in reversed(places):
        source = source[: place.start] + place.text + source[place.end :]
    return source


def _filled(replacement: str, node: SgNode, source: str) -> str:
    """The replacement with what the pattern's variables stand for. Raises BadArguments for one that it has not."""

    def value(variable: re.Match[str]) -> str:
        if variable[1]:
            several = node.get_multiple_matches(variable[1])
            return source[several[0].range().start.index : several[-1].range().end.index] if several else ""
        one = node.get_match(variable[2])
        if one is None:
            raise BadArguments(f"The replacement has {variable[0]}, which the pattern has not.")
        return one.text()

    return _VARIABLE.sub(value, replacement)
