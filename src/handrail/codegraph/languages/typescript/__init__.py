"""TypeScript: JavaScript's reader and resolver with TypeScript's grammars."""

from functools import partial
from importlib.resources import files

import tree_sitter_typescript

from handrail.codegraph.languages.javascript import BUILTINS, JSX, QUERY
from handrail.codegraph.languages.javascript.extract import extract_as
from handrail.codegraph.languages.javascript.resolve import JavaScriptResolver
from handrail.codegraph.languages.language import Grammar, Language

_QUERY = QUERY + (files(__name__) / "facts.scm").read_text()

LANGUAGE = Language(
    name="typescript",
    grammars={
        **{s: Grammar(tree_sitter_typescript.language_typescript, _QUERY) for s in (".ts", ".mts", ".cts")},
        ".tsx": Grammar(tree_sitter_typescript.language_tsx, _QUERY + JSX),
    },
    extract=partial(extract_as, "typescript"),
    resolver=JavaScriptResolver,
    builtins=BUILTINS,
)
