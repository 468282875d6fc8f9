"""How Go's names lead from file to file: the files of a folder share theirs; other folders are packages by `go.mod`."""

import re
from collections.abc import Mapping

from handrail.codegraph.facts import FileFacts, Import
from handrail.codegraph.languages.language import Files, ImportTargets, Reference
from handrail.codegraph.languages.plain_file import TYPES

_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)


class GoResolver:
    """The id of a package is its folder with a trailing slash."""

    def __init__(self, files: Files) -> None:
        self._facts: Mapping[str, FileFacts] = files.modules
        self._names: dict[tuple[str, str], dict[str, str]] = {}
        """(folder, package) → name → the file that defines it."""
        self._files: dict[str, list[str]] = {}
        for path, facts in sorted(files.modules.items()):
            if facts.language == "go":
                folder = path.rpartition("/")[0]
                self._files.setdefault(folder, []).append(path)
                names = self._names.setdefault((folder, facts.package), {})
                for name, _ in facts.exports:
                    if name not in names or not path.endswith("_test.go"):
                        names[name] = path
        self._public = {at: names for (at, package), names in self._names.items() if not package.endswith("_test")}
        found = [(m, _MODULE.search(files.read(m))) for m in files.manifests if m.rpartition("/")[2] == "go.mod"]
        self._modules = sorted(
            ((match[1], m.rpartition("/")[0]) for m, match in found if match), key=lambda pair: -len(pair[0])
        )

    def name_of(self, path: str) -> str:
        folder, _, file = path.rpartition("/")
        return f"{folder.replace('/', '.')}.{file[:-3]}" if folder else file[:-3]

    def resolve_import(self, path: str, statement: Import) -> ImportTargets:
        if statement.kind == TYPES:
            return self._used(path, statement)
        folder = self._folder(statement.target)
        aliases = [alias for name, alias in statement.names if name == "*" and alias]
        if folder is None:
            bindings = tuple((alias, Reference("", statement.target)) for alias in aliases)
            return ImportTargets((), bindings, (), outside(statement.target))
        names = self._public.get(folder, {})
        own = [file for file in self._files[folder] if not file.endswith("_test.go")]
        used = dict.fromkeys(names[name] for name, _ in statement.names if name in names)
        modules = tuple(used) if aliases else tuple(own)
        package = next((self._facts[file].package for file in own), "")
        bindings = tuple((alias, Reference(f"{folder}/", "")) for alias in dict.fromkeys((*aliases, package)) if alias)
        return ImportTargets(modules, bindings, () if aliases or statement.kind == "blank" else (f"{folder}/",), "")

    def implicit(self, path: str, name: str) -> Reference | None:
        found = self._names.get((path.rpartition("/")[0], self._facts[path].package), {}).get(name)
        return Reference(found, name) if found is not None and found != path else None

    def member(self, module: str, name: str) -> Reference | None:
        found = self._public.get(module[:-1], {}).get(name) if module.endswith("/") else None
        return Reference(found, name) if found is not None else None

    def module_named(self, path: str, target: str) -> str | None:
        return None

    def _used(self, path: str, statement: Import) -> ImportTargets:
        found = (self.implicit(path, name) for name, _ in statement.names)
        return ImportTargets(tuple(dict.fromkeys(each.module for each in found if each is not None)), (), (), "")

    def _folder(self, target: str) -> str | None:
        for module, root in self._modules:
            if target == module or target.startswith(f"{module}/"):
                folder = "/".join(part for part in (root, target[len(module) + 1 :]) if part)
                return folder if folder in self._files else None
        return None


def outside(target: str) -> str:
    """The outside module: the first three parts of an address, or the package of the standard library."""
    parts = target.split("/")
    return "/".join(parts[:3]) if "." in parts[0] else target
