"""Java."""

from functools import partial
from importlib.resources import files

import tree_sitter_java

from handrail.codegraph.languages.java.extract import extract
from handrail.codegraph.languages.language import Grammar, Language
from handrail.codegraph.languages.namespaces import NamespaceResolver

_BUILD_FILES = ("pom.xml", "build.gradle", "build.gradle.kts")
_BUILTINS = frozenset(
    {
        "Boolean", "Byte", "Character", "Class", "Double", "Enum", "Error", "Exception", "Float",
        "IllegalArgumentException", "IllegalStateException", "Integer", "Iterable", "Long", "Math",
        "NullPointerException", "Number", "Object", "Objects", "Override", "Record", "Runnable", "Runtime",
        "RuntimeException", "Short", "String", "StringBuilder", "StringBuffer", "System", "Thread", "Throwable",
        "UnsupportedOperationException",
    }
)  # fmt: skip

LANGUAGE = Language(
    name="java",
    grammars={".java": Grammar(tree_sitter_java.language, (files(__name__) / "facts.scm").read_text())},
    extract=extract,
    resolver=partial(
        NamespaceResolver, language="java", is_build_file=lambda path: path.rpartition("/")[2] in _BUILD_FILES
    ),
    builtins=_BUILTINS,
    members_in_scope=True,
)
