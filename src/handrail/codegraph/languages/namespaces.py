"""How names lead from file to file where types live in packages or namespaces: Java and C#.

A file exports its types under their full names (`com.acme.Orders`). The id of a package is `package:<name>`, that of
the members of a type, which a static import makes visible, `type:<full name>`."""

from collections.abc import Callable, Iterable, Mapping

from handrail.codegraph.facts import FileFacts, Import
from handrail.codegraph.languages.language import NOTHING, Files, ImportTargets, Reference

PACKAGE = "package:"
TYPE = "type:"
TYPES = "types"
"""The kind of the import that lists a file's types by name: no statement of the language, they may need none."""


class NamespaceResolver:
    """`is_build_file` tells the manifests that stand at the root of a build: of two types with one name, the one of
    the own build is meant."""

    def __init__(self, files: Files, language: str, is_build_file: Callable[[str], bool]) -> None:
        self._facts: Mapping[str, FileFacts] = files.modules
        self._roots = sorted({m.rpartition("/")[0] for m in files.manifests if is_build_file(m)}, key=len, reverse=True)
        self._types: dict[str, list[tuple[str, str]]] = {}
        self._packages: set[str] = set()
        self._defined: set[str] = set()
        """Every name that some file defines: any other with a capital is a type from outside."""
        self._global: dict[str, list[Import]] = {}
        for path, facts in files.modules.items():
            if facts.language == language:
                self._learn(path, facts)
        self._scopes: dict[str, tuple[FileFacts, tuple[str, ...]]] = {}

    def _learn(self, path: str, facts: FileFacts) -> None:
        self._defined.update(definition.name for definition in facts.definitions)
        for full, name in facts.exports:
            self._types.setdefault(full, []).append((path, name))
            package = full.rpartition(".")[0]
            while package and package not in self._packages:
                self._packages.add(package)
                package = package.rpartition(".")[0]
        for statement in facts.imports:
            if statement.kind == "global":
                self._global.setdefault(self._root_of(path), []).append(statement)

    def name_of(self, path: str) -> str:
        stem = path.rpartition("/")[2].rpartition(".")[0]
        package = self._facts[path].package
        return f"{package}.{stem}" if package else stem

    def resolve_import(self, path: str, statement: Import) -> ImportTargets:
        if statement.kind == TYPES:
            return self._used(path, statement)
        if ("*", "") in statement.names:
            return self._wildcard(path, statement)
        found = self._type(path, statement.target)
        if found is None:
            return self._package_alias(statement) or ImportTargets((), (), (), outside(statement.target))
        module, name = found
        bindings = [(alias, Reference(module, f"{name}.{n}" if n else name)) for n, alias in statement.names]
        return ImportTargets((module,), tuple(bindings), (), "")

    def implicit(self, path: str, name: str) -> Reference | None:
        for package in self._scope_of(path):
            found = self._type(path, f"{package}.{name}" if package else name)
            if found is not None:
                return Reference(*found)
        if name in self._packages:
            return Reference(PACKAGE + name, "")
        return Reference("", name) if name[:1].isupper() and name not in self._defined else None

    def member(self, module: str, name: str) -> Reference | None:
        if module.startswith(TYPE):
            found = self._type("", module.removeprefix(TYPE))
            return Reference(found[0], f"{found[1]}.{name}") if found is not None else None
        if not module.startswith(PACKAGE):
            return None
        full = f"{module.removeprefix(PACKAGE)}.{name}"
        found = self._type("", full)
        if found is not None:
            return Reference(*found)
        return Reference(PACKAGE + full, "") if full in self._packages else None

    def module_named(self, path: str, target: str) -> str | None:
        found = self._type(path, target)
        return found[0] if found is not None else None

    def _used(self, path: str, statement: Import) -> ImportTargets:
        """Types used by name: of the own package, of packages imported as a whole."""
        modules: dict[str, None] = {}
        for name, _ in statement.names:
            reference = self.implicit(path, name)
            if reference is not None and reference.module and reference.name and reference.module != path:
                modules[reference.module] = None
        return ImportTargets(tuple(modules), (), (), "")

    def _wildcard(self, path: str, statement: Import) -> ImportTargets:
        if statement.kind == "static":
            found = self._type(path, statement.target)
            if found is not None:
                return ImportTargets((found[0],), (), (TYPE + statement.target,), "")
        if statement.target in self._packages:
            return ImportTargets((), (), (PACKAGE + statement.target,), "")
        return ImportTargets((), (), (), outside(statement.target))

    def _package_alias(self, statement: Import) -> ImportTargets | None:
        """`using Data = Acme.Data;`"""
        if statement.target not in self._packages:
            return None
        return NOTHING._replace(
            bindings=tuple((a, Reference(PACKAGE + statement.target, "")) for _, a in statement.names)
        )

    def _scope_of(self, path: str) -> tuple[str, ...]:
        """The packages whose types a file sees by their simple names, nearest first."""
        facts = self._facts[path]
        known = self._scopes.get(path)
        if known is None or known[0] is not facts:
            own = facts.package
            around = [own, *_above(own)] if facts.language == "csharp" else [own]
            imported = [*facts.imports, *self._global.get(self._root_of(path), ())]
            wildcards = [i.target for i in imported if i.names == (("*", ""),) and i.kind != "static"]
            known = (facts, tuple(dict.fromkeys((*around, *wildcards))))
            self._scopes[path] = known
        return known[1]

    def _type(self, path: str, full: str) -> tuple[str, str] | None:
        """(module, name) of a type by its full name, nested ones through the type around them."""
        found = self._types.get(full)
        if found is not None:
            return found[0] if len(found) == 1 else self._nearest(path, found)
        outer, _, name = full.rpartition(".")
        if not name[:1].isupper() or not outer.rpartition(".")[2][:1].isupper():
            return None
        around = self._type(path, outer)
        return (around[0], f"{around[1]}.{name}") if around is not None else None

    def _nearest(self, path: str, found: list[tuple[str, str]]) -> tuple[str, str]:
        root = self._root_of(path)
        return min(found, key=lambda f: (f[0] != path, self._root_of(f[0]) != root, f[0]))

    def _root_of(self, path: str) -> str:
        return next((root for root in self._roots if not root or path.startswith(f"{root}/")), "")


def outside(target: str) -> str:
    """The outside package: the first two parts of its name."""
    return ".".join(target.split(".")[:2])


def _above(package: str) -> Iterable[str]:
    while package:
        package = package.rpartition(".")[0]
        yield package
