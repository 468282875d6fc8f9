"""One file of a repository: its bytes, and the facts in them."""

import hashlib
import os
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import tree_sitter

from handrail.codegraph import languages
from handrail.codegraph.facts import FileFacts
from handrail.codegraph.languages.language import Capture

_MINIFIED_BYTES = 20_000
_MINIFIED_LINE = 1_000
_ERROR_CHILDREN = 5_000
"""A query over one flat error node of n children takes n² (50,000: 7 s), and neither parsing nor a query can be given
a deadline: the progress callbacks of tree-sitter 0.26 crash the process."""


_span = attrgetter("start_byte", "end_byte")


class Content(NamedTuple):
    hash: str
    source: bytes
    """UTF-8, or empty where `reason` says why the file is left out."""
    reason: str


class Unreadable(Exception):
    """The file is so broken that reading on would take minutes."""


def read(root: Path, path: str, max_bytes: int) -> Content:
    """The content of a file, as UTF-8."""
    try:
        descriptor = os.open(f"{root}/{path}", os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            data = stream.read(max_bytes + 1)
    except OSError as error:
        return Content("", b"", f"cannot be read: {error.strerror}")
    if len(data) > max_bytes:
        return Content("", b"", f"larger than {max_bytes} bytes")
    source = _utf8(data)
    digest = hashlib.sha256(data).hexdigest()
    if b"\0" in source:
        return Content(digest, b"", "binary")
    if len(source) > _MINIFIED_BYTES and len(source) > _MINIFIED_LINE * (source.count(b"\n") + 1):
        return Content(digest, b"", "minified")
    return Content(digest, source, "")


def facts_of(path: str, source: bytes) -> FileFacts:
    """Parse and extract. Raises Unreadable where a broken file would cost minutes."""
    suffix = languages.suffix_of(path)
    name = languages.language_of(path)
    assert name is not None, f"{path} is not in a supported language"
    parser, query = _parser(name, suffix)
    tree = parser.parse(source)
    if tree.root_node.has_error and _is_shattered(tree.root_node):
        raise Unreadable
    nodes = tree_sitter.QueryCursor(query).captures(tree.root_node)
    for capture, found in nodes.items():
        if capture != "branch":  # they are only counted
            found.sort(key=_span)  # captures come in no stable order
    return languages.load(name).extract(Capture(source, path, tree.root_node, nodes))


def _is_shattered(root: tree_sitter.Node) -> bool:
    """True where some error node is so wide that a query would take for ever."""
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.is_error and node.child_count > _ERROR_CHILDREN:
            return True
        nodes.extend(child for child in node.children if child.has_error)
    return False


@cache
def _parser(name: str, suffix: str) -> tuple[tree_sitter.Parser, tree_sitter.Query]:
    grammar = languages.load(name).grammars[suffix]
    language = tree_sitter.Language(grammar.language())
    return tree_sitter.Parser(language), tree_sitter.Query(language, grammar.query)


def _utf8(data: bytes) -> bytes:
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data[3:] if encoding == "utf-8" else data.decode(encoding, "replace").encode("utf-8", "replace")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1").encode("utf-8")
    return data
