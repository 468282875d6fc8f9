"""C#."""

from functools import partial
from importlib.resources import files

import tree_sitter_c_sharp

from handrail.codegraph.languages.csharp.extract import extract
from handrail.codegraph.languages.language import Grammar, Language
from handrail.codegraph.languages.namespaces import NamespaceResolver

_BUILTINS = frozenset(
    {
        "ArgumentException", "ArgumentNullException", "Array", "Boolean", "Console", "Convert", "DateTime",
        "DateTimeOffset", "Decimal", "Dictionary", "Double", "Enum", "Environment", "Exception", "Func", "GC", "Guid",
        "HashSet", "IEnumerable", "IList", "Int32", "Int64", "InvalidOperationException", "List", "Math",
        "NotImplementedException", "Object", "Path", "Random", "String", "StringBuilder", "Task", "Thread", "TimeSpan",
        "Tuple", "Type", "Uri", "nameof", "string", "int", "object", "typeof", "Assert",
    }
)  # fmt: skip

LANGUAGE = Language(
    name="csharp",
    grammars={".cs": Grammar(tree_sitter_c_sharp.language, (files(__name__) / "facts.scm").read_text())},
    extract=extract,
    resolver=partial(NamespaceResolver, language="csharp", is_build_file=lambda path: path.endswith(".csproj")),
    builtins=_BUILTINS,
    members_in_scope=True,
)
