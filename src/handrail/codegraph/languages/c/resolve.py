"""How names of C and C++ lead from file to file: includes, and what the linker joins."""

from collections.abc import Mapping
from posixpath import normpath

from handrail.codegraph.facts import MODULE_SCOPE, FileFacts, Import
from handrail.codegraph.languages.c.extract import DEFINED
from handrail.codegraph.languages.language import NOTHING, Files, ImportTargets, Reference

_LANGUAGES = frozenset({"c", "cpp"})
_LINKED = "linked:"
_NAMESPACE = "namespace:"
"""Before the file that names a namespace: what is in it is what that file sees."""


class CResolver:
    """An included file is looked for beside the one that includes it, then by the end of its path. A function that no
    included file defines is the one that the linker would find."""

    def __init__(self, files: Files) -> None:
        self._facts: Mapping[str, FileFacts] = files.modules
        self._paths = {path for path, facts in files.modules.items() if facts.language in _LANGUAGES}
        self._by_name: dict[str, list[str]] = {}
        self._defined: dict[str, list[str]] = {}
        self._namespaces: set[str] = set()
        for path in sorted(self._paths):
            facts = files.modules[path]
            self._by_name.setdefault(path.rpartition("/")[2], []).append(path)
            self._namespaces.update(facts.package.split())
            for definition in facts.definitions:
                is_linked = definition.kind in {"function", "method", "constructor"}
                if is_linked and definition.parent == MODULE_SCOPE and definition.visibility == "public":
                    self._defined.setdefault(definition.name, []).append(path)

    def name_of(self, path: str) -> str:
        return path

    def resolve_import(self, path: str, statement: Import) -> ImportTargets:
        found = self._included(path, statement.target, is_system=statement.kind == "system")
        if found is None:
            return ImportTargets((), (), (), statement.target if statement.kind == "system" else "")
        return ImportTargets((found,), (), (found,), "") if found != path else NOTHING

    def implicit(self, path: str, name: str) -> Reference | None:
        if name == DEFINED:
            return Reference(_LINKED, "")
        if name in self._namespaces:
            return Reference(_NAMESPACE + path, "")
        if name == "std":
            return Reference("", "std")
        found = self._nearest(path, self._defined.get(name, []))
        return Reference(found, name) if found is not None else None

    def member(self, module: str, name: str) -> Reference | None:
        if module == _LINKED:
            found = self._defined.get(name, [])
            return Reference(found[0], name) if len(found) == 1 else Reference("", name)
        if not module.startswith(_NAMESPACE):
            return None
        if name in self._namespaces:
            return Reference(module, "")
        path = module.removeprefix(_NAMESPACE)
        return Reference(self._nearest(path, self._defined.get(name, [])) or path, name)

    def module_named(self, path: str, target: str) -> str | None:
        return None

    def _included(self, path: str, target: str, *, is_system: bool) -> str | None:
        folder = path.rpartition("/")[0]
        beside = normpath(f"{folder}/{target}" if folder else target)
        if not is_system and beside in self._paths:
            return beside
        clean = normpath(target).lstrip("./")
        named = self._by_name.get(clean.rpartition("/")[2], [])
        ends = [each for each in named if each == clean or each.endswith(f"/{clean}")]
        if is_system and "/" not in clean and not any("include/" in each for each in ends):
            return None  # <string.h> is the system's, whatever the repository has of that name
        return self._nearest(path, ends, is_sure=True)

    def _nearest(self, path: str, found: list[str], *, is_sure: bool = False) -> str | None:
        """The one with most folders in common; of functions, none where two are as near."""
        others = [each for each in found if each != path]
        if not others:
            return None
        ranked = sorted(others, key=lambda each: (-_common(path, each), each))
        is_tie = len(ranked) > 1 and _common(path, ranked[0]) == _common(path, ranked[1])
        return ranked[0] if is_sure or not is_tie else None


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count
