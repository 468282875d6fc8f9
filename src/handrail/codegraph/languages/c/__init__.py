"""C. A header may be C or C++: it is read as C++, which has all that C has."""

from importlib.resources import files

import tree_sitter_c
import tree_sitter_cpp

from handrail.codegraph.languages.c.extract import extract
from handrail.codegraph.languages.c.resolve import CResolver
from handrail.codegraph.languages.language import Grammar, Language

_FOLDER = files("handrail.codegraph.languages")
_QUERY = (_FOLDER / "c" / "facts.scm").read_text()
_MORE = (_FOLDER / "cpp" / "facts.scm").read_text()

_BUILTINS = frozenset(
    {
        "abort", "assert", "atoi", "calloc", "exit", "fclose", "fopen", "fprintf", "fputs", "fread", "free", "fwrite",
        "malloc", "memcmp", "memcpy", "memmove", "memset", "perror", "printf", "puts", "qsort", "realloc", "snprintf",
        "sprintf", "sscanf", "strcat", "strchr", "strcmp", "strcpy", "strdup", "strerror", "strlen", "strncmp",
        "strncpy", "strstr", "strtol", "vsnprintf", "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast",
        "ASSERT_EQ", "ASSERT_FALSE", "ASSERT_NE", "ASSERT_TRUE", "EXPECT_EQ", "EXPECT_FALSE", "EXPECT_NE",
        "EXPECT_THROW", "EXPECT_TRUE", "REQUIRE", "CHECK",
    }
)  # fmt: skip

LANGUAGE = Language(
    name="c",
    grammars={
        ".c": Grammar(tree_sitter_c.language, _QUERY),
        ".h": Grammar(tree_sitter_cpp.language, _QUERY + _MORE),
    },
    extract=extract,
    resolver=CResolver,
    builtins=_BUILTINS,
    members_in_scope=True,
    shares_names=True,
)
