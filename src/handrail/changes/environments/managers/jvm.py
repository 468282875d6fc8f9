"""Maven and Gradle. Both resolve by plugins or build scripts, so preparing runs code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handrail.changes.environments.model import TREE, Environment, command, hosts_in, place
from handrail.changes.environments.sources import Sources, folder_of, is_under, joined

GRADLE = ("build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
CENTRAL = ("https://repo.maven.apache.org/", "https://repo1.maven.org/")
PLUGINS = ("https://plugins.gradle.org/", "https://plugins-artifacts.gradle.org/", "https://services.gradle.org/")
_REPOSITORY = re.compile(r"<url>\s*(https://[^<\s]+)\s*</url>")
_ADDRESS = re.compile(r"""\b(?:uri|url|setUrl|distributionUrl)\b[\s(=]*["']?(https(?:\\)?://[^"'\s)]+)""")


def find(sources: Sources) -> Iterator[Environment]:
    """One for each build; modules below it belong to it."""
    yield from (_maven(sources, folder) for folder in _tops(sources.named("pom.xml")))
    yield from (_gradle(sources, folder) for folder in _tops(sources.named(*GRADLE)))


def _tops(paths: list[str]) -> list[str]:
    tops: list[str] = []
    for path in paths:
        if not any(is_under(folder_of(path), above) for above in tops):
            tops.append(folder_of(path))
    return tops


def _maven(sources: Sources, folder: str) -> Environment:
    files = {path: sources.data(path) for path in sources.under(folder, "pom.xml")}
    repository = f"-Dmaven.repo.local={place('jvm', folder)}"
    resolve = command("mvn", "--batch-mode", "--no-transfer-progress", repository, "dependency:go-offline")
    hosts = hosts_in(
        [*CENTRAL, *(each for data in files.values() for each in _REPOSITORY.findall(data.decode(errors="replace")))]
    )
    return Environment("Maven", "jvm", folder, files, (), (resolve,), hosts, runs_code=True)


def _gradle(sources: Sources, folder: str) -> Environment:
    names = ("*.gradle", "*.gradle.kts", "gradle.properties", "*.lockfile", "libs.versions.toml", "gradlew")
    paths = [*sources.under(folder, *names), *sources.under(folder, "gradle-wrapper.properties", "gradle-wrapper.jar")]
    files = {path: sources.data(path) for path in paths}
    home = place("jvm", folder)
    program = program_of(sources, folder)
    resolve = command(*program, "--no-daemon", "--console=plain", "dependencies", GRADLE_USER_HOME=home)
    texts = [
        data.decode(errors="replace").replace("\\:", ":") for path, data in files.items() if not path.endswith(".jar")
    ]
    hosts = hosts_in([*CENTRAL, *PLUGINS, *(each for text in texts for each in _ADDRESS.findall(text))])
    locks = tuple(path for path in files if path.endswith(".lockfile"))
    return Environment("Gradle", "jvm", folder, files, locks, (resolve,), hosts, runs_code=True)


def program_of(sources: Sources, folder: str) -> tuple[str, ...]:
    """The repository's own Gradle where it has one."""
    wrapper = joined(folder, "gradlew")
    return ("sh", f"{TREE}/{wrapper}") if sources.has(wrapper) else ("gradle",)
