"""Python."""

import builtins
from importlib.resources import files

import tree_sitter_python

from handrail.codegraph.languages.language import Language
from handrail.codegraph.languages.python.extract import extract
from handrail.codegraph.languages.python.resolve import PythonResolver

LANGUAGE = Language(
    name="python",
    grammars={".py": tree_sitter_python.language, ".pyi": tree_sitter_python.language},
    query=(files(__name__) / "facts.scm").read_text(),
    extract=extract,
    resolver=PythonResolver,
    builtins=frozenset(dir(builtins)),
)
