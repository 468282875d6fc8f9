"""What a repository is made with: frameworks by imports and manifests, build tools by manifests."""

import json
import re
from collections import Counter

from handrail.codegraph.index import Index

_TOOLS = {
    "pom.xml": "maven",
    "build.gradle": "gradle",
    "build.gradle.kts": "gradle",
    "Makefile": "make",
    "Dockerfile": "docker",
    "Cargo.toml": "cargo",
    "go.mod": "go",
    "pnpm-workspace.yaml": "pnpm",
    "nx.json": "nx",
    "lerna.json": "lerna",
    "Pipfile": "pipenv",
    "setup.py": "setuptools",
    "setup.cfg": "setuptools",
    "package.json": "npm",
}
_PACKAGES = {
    "react": "react",
    "next": "next",
    "vue": "vue",
    "@angular/core": "angular",
    "svelte": "svelte",
    "express": "express",
    "@nestjs/core": "nestjs",
    "fastify": "fastify",
    "typeorm": "typeorm",
    "@prisma/client": "prisma",
    "jest": "jest",
    "vitest": "vitest",
}
_TEXTS = {
    "spring-boot": "spring-boot",
    "hibernate": "hibernate",
    "junit": "junit",
    "Microsoft.NET.Sdk.Web": "aspnet",
    "Microsoft.AspNetCore": "aspnet",
    "Microsoft.EntityFrameworkCore": "entity-framework",
    "xunit": "xunit",
}
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies")
_BACKEND = re.compile(r"build-backend\s*=\s*[\"']([\w-]+)")


def languages_of(index: Index) -> dict[str, dict[str, int]]:
    """Modules and lines of code by language."""
    modules: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for facts in index.facts.values():
        modules[facts.language] += 1
        lines[facts.language] += facts.loc
    return {name: {"modules": modules[name], "loc": lines[name]} for name in sorted(modules)}


def frameworks_of(index: Index) -> list[str]:
    found = {framework for facts in index.facts.values() for framework in facts.frameworks}
    found |= {endpoint.framework for endpoint in index.graph.endpoints.values()} - {"unknown"}
    for path in index.manifests:
        name = path.rpartition("/")[2]
        if name == "package.json":
            found |= {_PACKAGES[package] for package in _dependencies(index.manifest(path)) if package in _PACKAGES}
        elif name.startswith(("pom.", "build.gradle")) or name.endswith("proj"):
            text = index.manifest(path)
            found |= {framework for mark, framework in _TEXTS.items() if mark in text}
    return sorted(found)


def build_tools_of(index: Index) -> list[str]:
    found: set[str] = set()
    for path in index.manifests:
        name = path.rpartition("/")[2]
        if name in _TOOLS:
            found.add(_TOOLS[name])
        elif name.endswith(("proj", ".sln")):
            found.add("dotnet")
        elif name == "pyproject.toml" and (backend := _BACKEND.search(index.manifest(path))):
            found.add(backend.group(1).partition("_")[0])
    return sorted(found)


def _dependencies(text: str) -> set[str]:
    """The packages that a package.json names; none where it is not one."""
    try:
        manifest: dict[str, dict[str, str]] = json.loads(text)
        return {name for key in _DEPENDENCIES for name in manifest.get(key, {})}
    except (ValueError, AttributeError, TypeError):
        return set()
