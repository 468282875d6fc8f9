"""Rust."""

from importlib.resources import files

import tree_sitter_rust

from handrail.codegraph.languages.language import Grammar, Language
from handrail.codegraph.languages.rust.extract import extract
from handrail.codegraph.languages.rust.resolve import RustResolver

_BUILTINS = frozenset(
    {
        "Box", "Default", "Err", "From", "Into", "Iterator", "None", "Ok", "Option", "Result", "Some", "String",
        "ToString", "Vec", "drop", "str", "char", "bool", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16",
        "i32", "i64", "i128", "isize", "f32", "f64", "std", "core", "alloc", "assert", "assert_eq", "assert_ne", "cfg",
        "column", "compile_error", "concat", "dbg", "debug_assert", "debug_assert_eq", "debug_assert_ne", "env",
        "eprint", "eprintln", "file", "format", "format_args", "include", "include_bytes", "include_str", "line",
        "matches", "module_path", "option_env", "panic", "print", "println", "stringify", "thread_local", "todo",
        "unimplemented", "unreachable", "vec", "write", "writeln",
    }
)  # fmt: skip

LANGUAGE = Language(
    name="rust",
    grammars={".rs": Grammar(tree_sitter_rust.language, (files(__name__) / "facts.scm").read_text())},
    extract=extract,
    resolver=RustResolver,
    builtins=_BUILTINS,
)
