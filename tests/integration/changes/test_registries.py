"""Real package managers and real tools, from the registries: `make soak`."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

from handrail.changes.environments.detecting import detect
from handrail.changes.environments.errors import PreparationFailed
from handrail.changes.environments.instructions import Instructions
from handrail.changes.environments.layers import Layer
from handrail.changes.environments.model import TREE, Command, Environment
from handrail.changes.environments.preparing import Workshop
from handrail.changes.environments.sources import Sources
from handrail.changes.running.choosing import choose as chosen
from handrail.changes.running.choosing import measured, whole
from handrail.changes.running.executing import Bench, Ran, Tree, run
from handrail.changes.running.formatting import NEAR, find, formatted
from handrail.changes.running.hearing import Progress
from handrail.changes.verifying import coverage
from handrail.sandbox import choose

pytestmark = pytest.mark.soak

PROJECT = """[project]
name = "cart"
version = "1.0"
requires-python = ">=3.9"
dependencies = ["idna==3.10"]
[dependency-groups]
dev = ["pytest==8.4.2"]
"""
POETRY = """[tool.poetry]
name = "cart"
version = "1.0"
[tool.poetry.dependencies]
python = "^3.11"
idna = "^3"
[tool.poetry.group.dev.dependencies]
pytest = "^8"
"""
LOCK = """[[package]]
name = "idna"
version = "3.10"
files = [{file = "x.whl", hash = "sha256:946d195a0d259cbba61165e88e65941f16e9b36ea6ddb97f00452bae8b1287d3"}]
[[package]]
name = "pytest"
version = "8.4.2"
files = []
"""
CODE = "import idna\ndef test_idna(): assert idna.encode('ä.de') == b'xn--4ca.de'\ndef test_breaks(): assert 0\n"
MOCHA = """
const assert = require("assert");
describe("cart", () => {
  it("adds", () => assert.equal(1 + 1, 2));
  it("breaks", () => assert.equal(1 + 1, 3));
  it.skip("later", () => {});
});
"""


class Made:
    def __init__(self, root: Path, files: dict[str, str]) -> None:
        self.root, self.sources = root, repository(root / "tree", files)
        self.heard: dict[str, str] = {}

    async def layers(self) -> tuple[Layer, ...]:
        found: list[Layer] = []
        for each in detect(self.sources).environments:
            # whatever this machine calls a registry may be a mirror in its own network
            workshop = Workshop(choose(), self.root / "layers", private_hosts=frozenset(each.hosts))
            found.append(await workshop.prepare(each, each.hash))
        return tuple(found)

    async def ran(self, tool: str) -> Ran:
        choice = chosen(Sources(self.sources.root), Instructions())
        (call,) = [each for each in (*choice.tests, *choice.checks) if each.tool == tool]
        tree = Tree(self.sources.root, "1", await self.layers())
        return await run(whole(call), tree, Bench(choose(), self.root / "scratch"), self._tell)

    async def _tell(self, progress: Progress) -> None:
        if progress.kind == "test":
            self.heard[progress.data["id"]] = progress.data["outcome"]


async def locked(root: Path, files: dict[str, str], *command: str) -> dict[str, str]:
    """The files with the lock file that the manager itself makes of them."""
    contents = {path: text.encode() for path, text in files.items()}
    hosts = ("pypi.org", "files.pythonhosted.org", "registry.npmjs.org", "registry.yarnpkg.com")
    line = " ".join(command) + " && cp *lock* $HANDRAIL_DEPS/"
    made = Environment(
        "custom", "custom", "", contents, commands=(Command(("sh", "-c", line), is_shell=True),), hosts=hosts
    )
    workshop = Workshop(choose(), root / "locks", private_hosts=frozenset(hosts))
    layer = await workshop.prepare(made, made.hash)
    return files | {path.name: path.read_text() for path in (layer.folder / "place").iterdir()}


PYTHON: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "uv": ({"pyproject.toml": PROJECT}, ("uv", "lock")),
    "poetry": ({"pyproject.toml": POETRY, "poetry.lock": LOCK}, ("true",)),
    "pip": ({"pyproject.toml": PROJECT}, ("touch", "no.lock")),
}


@pytest.mark.parametrize("manager", PYTHON)
async def test_python_is_prepared_and_tested(tmp_path: Path, manager: str) -> None:
    files, lock = PYTHON[manager]
    files = await locked(tmp_path, files, *lock)
    made = Made(tmp_path, {**files, "test_cart.py": CODE})
    assert [each.manager for each in detect(made.sources).environments] == [manager]
    found = await made.ran("pytest")
    assert found.report.fault == ""
    assert made.heard == {"test_cart::test_idna": "passed", "test_cart::test_breaks": "failed"}


async def test_a_package_with_another_hash_than_the_locked_one_is_refused(tmp_path: Path) -> None:
    made = Made(tmp_path, {"pyproject.toml": POETRY, "poetry.lock": LOCK.replace("946d195a", "00000000")})
    with pytest.raises(PreparationFailed) as caught:
        await made.layers()
    assert "Hash mismatch" in caught.value.data["output"]


NODE: dict[str, tuple[str, ...]] = {
    "npm": ("npm", "install", "--package-lock-only", "--ignore-scripts"),
    "pnpm": ("npx", "--yes", "pnpm@10", "install", "--lockfile-only", "--ignore-scripts"),
    "yarn": ("npx", "--yes", "yarn@1", "install", "--ignore-scripts", "--non-interactive"),
}


@pytest.mark.parametrize("manager", NODE)
async def test_node_is_prepared_and_tested(tmp_path: Path, manager: str) -> None:
    package = '{"scripts": {"test": "mocha"}, "devDependencies": {"mocha": "11.7.4"}}'
    files = await locked(tmp_path, {"package.json": package}, *NODE[manager])
    made = Made(tmp_path, {**files, "test/cart.js": MOCHA})
    assert [each.manager for each in detect(made.sources).environments] == [manager]
    found = await made.ran("mocha")
    assert found.report.fault == ""
    expected = {"adds": "passed", "breaks": "failed", "later": "skipped"}
    assert made.heard == {f"test/cart.js::cart {name}": outcome for name, outcome in expected.items()}
    assert {test.id: test.outcome.value for test in found.report.tests} == made.heard


async def test_jest_says_each_test_as_it_ends(tmp_path: Path) -> None:
    package = '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "30.2.0"}}'
    code = "describe('cart', () => { test('adds', () => {}); test('breaks', () => expect(1).toBe(2)); });"
    made = Made(tmp_path, {"package.json": package, "cart.test.js": code})
    found = await made.ran("jest")
    assert found.report.fault == ""
    assert made.heard == {"cart.test.js::cart > adds": "passed", "cart.test.js::cart > breaks": "failed"}
    assert {test.id: test.outcome.value for test in found.report.tests} == made.heard


LONG = "export function all(a: number) {\n" + "".join(f"  const b{n} = {{ x:a+{n} }}\n" for n in range(12)) + "}\n"
FORMATTED: dict[str, tuple[dict[str, str], str, str, str]] = {
    "prettier": (
        {"package.json": '{"devDependencies": {"prettier": "3.6.2"}, "prettier": {"semi": true}}'},
        *("a.ts", f"const face = '\U0001f600'\n{LONG}", "  const b5 = { x: a + 5 };\n"),
    ),
    "black": (
        {"requirements.txt": "black==25.9.0\n", "pyproject.toml": "[tool.black]\n"},
        *("a.py", "def all( a ):\n" + "".join(f"    b{n} = {{ 'x':a+{n} }}\n" for n in range(12))),
        '    b5 = {"x": a + 5}\n',
    ),
}


@pytest.mark.parametrize("tool", FORMATTED)
async def test_a_changed_line_is_formatted_and_its_neighbours_are_left_alone(tmp_path: Path, tool: str) -> None:
    files, path, text, wanted = FORMATTED[tool]
    made = Made(tmp_path, {**files, path: text})
    lines = text.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "b5" in line)
    tree = Tree(made.sources.root, "1", await made.layers())
    bench = Bench(choose(), tmp_path / "scratch")
    found = await formatted(find(made.sources), tree, {path: [(at + 1, at + 1)]}, bench)
    after = found[path].decode().splitlines(keepends=True)
    assert after[at] == wanted
    far = [n for n in range(len(lines)) if abs(n - at) > NEAR]
    assert [after[n] for n in far] == [lines[n] for n in far]


COVERED = {
    "jest": ('"jest": "30.2.0"', "const { half, twice } = require('./cart')", "module.exports = { half, twice }"),
    "vitest": (
        '"vitest": "3.2.4", "@vitest/coverage-v8": "3.2.4"',
        "import { expect, test } from 'vitest'\nimport { half, twice } from './cart.js'",
        "export { half, twice }",
    ),
}


@pytest.mark.parametrize("tool", COVERED)
async def test_lines_that_tests_run_are_known_from_the_runners_own_coverage(tmp_path: Path, tool: str) -> None:
    needed, imports, exports = COVERED[tool]
    kind = ', "type": "module"' if tool == "vitest" else ""
    package = f'{{"scripts": {{"test": "{tool}"}}, "devDependencies": {{{needed}}}{kind}}}'
    code = f"const half = (a) => {{\n  return a / 2\n}}\nconst twice = (a) => {{\n  return a * 2\n}}\n{exports}\n"
    tests = f"{imports}\ntest('halves', () => expect(half(4)).toBe(2))\n"
    made = Made(tmp_path, {"package.json": package, "cart.js": code, "cart.test.js": tests})
    [call] = chosen(made.sources, Instructions()).tests
    asked = measured(call, made.sources)
    assert asked is not None
    ran = await run(asked, Tree(made.sources.root, "1", await made.layers()), Bench(choose(), tmp_path / "scratch"))
    lines = coverage.read(ran.coverage, TREE).files["cart.js"]
    assert (lines[2], lines[5]) == (True, False)


@pytest.mark.parametrize(
    ("tool", "settings", "rule"),
    [("mypy", "[tool.mypy]\n", "assignment"), ("flake8", "", "F401"), ("pyright", "[tool.pyright]\n", "")],
)
async def test_checkers_of_python_find_what_is_wrong(tmp_path: Path, tool: str, settings: str, rule: str) -> None:
    package = {"pyright": "pyright[nodejs]"}.get(tool, tool)
    files = {"requirements.txt": f"{package}\n", "pyproject.toml": settings, "a.py": "import os\nx: int = 'a'\n"}
    if tool == "flake8":
        files["tox.ini"] = "[flake8]\n"
    found = await Made(tmp_path, files).ran(tool)
    assert found.report.fault == ""
    assert any(each.path == "a.py" and (each.rule == rule or not rule) for each in found.report.findings)
