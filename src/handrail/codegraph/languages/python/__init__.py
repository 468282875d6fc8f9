"""Python."""

import builtins
from importlib.resources import files

import tree_sitter_python

from handrail.codegraph.languages.language import Grammar, Language
from handrail.codegraph.languages.python.extract import extract
from handrail.codegraph.languages.python.resolve import PythonResolver

_GRAMMAR = Grammar(tree_sitter_python.language, (files(__name__) / "facts.scm").read_text())

LANGUAGE = Language(
    name="python",
    grammars={".py": _GRAMMAR, ".pyi": _GRAMMAR},
    extract=extract,
    resolver=PythonResolver,
    builtins=frozenset(dir(builtins)),
)
