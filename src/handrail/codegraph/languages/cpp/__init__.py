"""C++."""

from dataclasses import replace

from handrail.codegraph.languages import c
from handrail.codegraph.languages.c.extract import extract_cpp

_GRAMMAR = c.LANGUAGE.grammars[".h"]

LANGUAGE = replace(
    c.LANGUAGE,
    name="cpp",
    grammars=dict.fromkeys((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), _GRAMMAR),
    extract=extract_cpp,
)
