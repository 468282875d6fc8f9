"""Go."""

from importlib.resources import files

import tree_sitter_go

from handrail.codegraph.languages.go.extract import extract
from handrail.codegraph.languages.go.resolve import GoResolver
from handrail.codegraph.languages.language import Grammar, Language

_BUILTINS = frozenset(
    {
        "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new",
        "panic", "print", "println", "real", "recover", "any", "bool", "byte", "comparable", "complex64", "complex128",
        "error", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string", "uint", "uint8",
        "uint16", "uint32", "uint64", "uintptr",
    }
)  # fmt: skip

LANGUAGE = Language(
    name="go",
    grammars={".go": Grammar(tree_sitter_go.language, (files(__name__) / "facts.scm").read_text())},
    extract=extract,
    resolver=GoResolver,
    builtins=_BUILTINS,
    shares_names=True,
)
