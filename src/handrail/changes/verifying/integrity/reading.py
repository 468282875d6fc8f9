"""The tests of a file, whatever its language."""

from __future__ import annotations

from handrail.changes.editing import grammars
from handrail.changes.verifying.integrity import compiled, javascript, python, trees
from handrail.changes.verifying.integrity.suite import Suite
from handrail.codegraph.languages import suffix_of

_DIALECTS: dict[str, trees.Dialect] = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), javascript.read),
    ".java": compiled.java,
    ".cs": compiled.csharp,
    ".go": compiled.go,
    ".rs": compiled.rust,
}
_INLINE = frozenset({".rs"})
"""Languages whose tests may stand in the file that they test."""


class Unreadable(Exception):
    """The file does not parse, so that nothing can be said about its tests."""


def is_known(path: str) -> bool:
    return suffix_of(path) in {*_DIALECTS, ".py"}


def has_tests_inside(path: str) -> bool:
    return suffix_of(path) in _INLINE


def read(path: str, text: str) -> Suite:
    """Raises Unreadable."""
    if suffix_of(path) == ".py":
        try:
            return python.read(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            raise Unreadable(f"Python cannot parse it: {error}") from None
    source = text.encode()
    root = grammars.parse(path, source)
    assert root is not None, path
    return trees.read(root, source, _DIALECTS[suffix_of(path)])
