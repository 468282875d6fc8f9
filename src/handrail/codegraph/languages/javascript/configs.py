"""tsconfig.json and jsconfig.json: `baseUrl` and `paths`, through `extends` and `references`."""

from dataclasses import dataclass, field
from typing import Any

from handrail.codegraph.languages.javascript import folders
from handrail.codegraph.languages.javascript.manifests import mapping, read_object, texts
from handrail.codegraph.languages.language import Files

_NAMES = ("tsconfig.json", "jsconfig.json")
_MAX_EXTENDS = 20


@dataclass(frozen=True)
class Config:
    """What one configuration says about names that are not relative."""

    base_url: str | None = None
    """The folder, where one is set."""
    paths_folder: str = "."
    """The folder that the targets of `paths` start from."""
    paths: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    root_dirs: tuple[str, ...] = ()

    def candidates(self, target: str) -> list[str]:
        """The paths, without suffix, that a name may stand for: those of the longest matching pattern, then
        `baseUrl`."""
        found: list[str | None] = []
        pattern = _best(self.paths, target)
        if pattern is not None:
            start, _, end = pattern.partition("*")
            middle = target[len(start) : len(target) - len(end)] if "*" in pattern else ""
            found += [folders.join(self.paths_folder, t.replace("*", middle, 1)) for t in self.paths[pattern]]
        if self.base_url is not None:
            found.append(folders.join(self.base_url, target))
        return [path for path in found if path is not None]


def _best(paths: dict[str, list[str]], target: str) -> str | None:
    if target in paths:
        return target
    matching = [p for p in paths if "*" in p and _matches(p, target)]
    return max(matching, key=lambda p: len(p.partition("*")[0]), default=None)


def _matches(pattern: str, target: str) -> bool:
    start, _, end = pattern.partition("*")
    return len(target) >= len(start) + len(end) and target.startswith(start) and target.endswith(end)


class Configs:
    """The configurations that apply to a file: the nearest one and those it refers to."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._folders = {folders.parent(m): m for name in reversed(_NAMES) for m in files.manifests if _is(m, name)}
        self._of_folder: dict[str, tuple[Config, ...]] = {}

    def of(self, folder: str) -> tuple[Config, ...]:
        found = self._of_folder.get(folder)
        if found is None:
            home = next((f for f in folders.upwards(folder) if f in self._folders), None)
            found = () if home is None else self._with_references(self._folders[home])
            self._of_folder[folder] = found
        return found

    def _with_references(self, path: str) -> tuple[Config, ...]:
        found = [self._read(path, ())]
        for reference in _items(read_object(self._files.read(path)).get("references")):
            target = folders.join(folders.parent(path), str(mapping(reference).get("path", "")))
            if target is not None:
                found.append(self._read(target if target.endswith(".json") else f"{target}/tsconfig.json", ()))
        return tuple(found)

    def _read(self, path: str, above: tuple[str, ...]) -> Config:
        """A configuration laid over those it extends."""
        config = Config()
        if path in above or len(above) > _MAX_EXTENDS:
            return config
        content = read_object(self._files.read(path))
        folder = folders.parent(path)
        for name in texts(content.get("extends")):
            for target in self._extended(folder, name):
                config = _over(self._read(target, (*above, path)), config)
        return _over(_own(folder, mapping(content.get("compilerOptions"))), config)

    def _extended(self, folder: str, name: str) -> list[str]:
        """The file that `extends` names; a package's is looked for in the folders above."""
        if name.startswith("."):
            path = folders.join(folder, name)
            return [] if path is None else [path if path.endswith(".json") else f"{path}.json"]
        homes = [f"{'' if home == '.' else f'{home}/'}node_modules/{name}" for home in folders.upwards(folder)]
        tries = [t for home in homes for t in (home, f"{home}.json", f"{home}/tsconfig.json")]
        found = next((t for t in tries if t.endswith(".json") and self._files.read(t)), None)
        return [found] if found is not None else []


def _own(folder: str, options: dict[str, Any]) -> Config:
    base = options.get("baseUrl")
    base_url = folders.join(folder, base) if isinstance(base, str) else None
    listed = {pattern: texts(targets) for pattern, targets in mapping(options.get("paths")).items()}
    here = {p: [t.replace("${configDir}", ".") for t in targets] for p, targets in listed.items()}
    dirs = [folders.join(folder, text) for text in texts(options.get("rootDirs"))]
    return Config(base_url, base_url or folder, here, tuple(d for d in dirs if d is not None))


def _over(upper: Config, lower: Config) -> Config:
    paths = upper if upper.paths else lower
    return Config(
        upper.base_url if upper.base_url is not None else lower.base_url,
        paths.paths_folder,
        paths.paths,
        upper.root_dirs or lower.root_dirs,
    )


def _is(path: str, name: str) -> bool:
    return path == name or path.endswith(f"/{name}")


def _items(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else []  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] - JSON
