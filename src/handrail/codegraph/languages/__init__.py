"""The languages the code graph reads: one folder each, listed here."""

from functools import cache
from importlib import import_module

from handrail.codegraph.languages.language import Language

FOLDERS: dict[str, tuple[str, ...]] = {
    "python": (".py", ".pyi"),
    "javascript": (".js", ".jsx", ".mjs", ".cjs"),
    "typescript": (".ts", ".tsx", ".mts", ".cts"),
    "java": (".java",),
    "csharp": (".cs",),
    "go": (".go",),
    "rust": (".rs",),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"),
}
"""Language folder → file suffixes. Kept apart from the folders so that a worker loads only the grammars it meets."""

_BY_SUFFIX = {suffix: folder for folder, suffixes in FOLDERS.items() for suffix in suffixes}


def language_of(path: str) -> str | None:
    """The language that a path's suffix stands for."""
    return _BY_SUFFIX.get(suffix_of(path))


def suffix_of(path: str) -> str:
    return "." + path.rpartition(".")[2].lower()


@cache
def load(name: str) -> Language:
    return import_module(f"{__name__}.{name}").LANGUAGE
