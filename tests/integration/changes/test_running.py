"""Real suites in the sandbox: said test by test, read as a whole, and never taken for a pass where they are not."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from benches import calls, tree

from handrail.changes.environments.instructions import Instructions
from handrail.changes.environments.layers import Layer
from handrail.changes.environments.model import Command
from handrail.changes.environments.sources import Sources
from handrail.changes.running.choosing import choose, whole
from handrail.changes.running.executing import Bench, Ran, Tree, run
from handrail.changes.running.hearing import Progress
from handrail.changes.running.model import Call
from handrail.core.sizes import MIB

SUITE = """
import unittest
class T(unittest.TestCase):
    def test_adds(self): self.assertEqual(1 + 1, 2)
    def test_breaks(self): self.assertEqual(1 + 1, 3)
    @unittest.skip("later")
    def test_later(self): pass
"""


class Heard:
    def __init__(self) -> None:
        self.all: list[Progress] = []

    async def tell(self, progress: Progress) -> None:
        self.all.append(progress)

    @property
    def tests(self) -> dict[str, str]:
        return {each.data["id"]: each.data["outcome"] for each in self.all if each.kind == "test"}


async def ran(given: Tree, bench: Bench, heard: Heard | None = None) -> Ran:
    (call,) = calls(given)
    return await run(whole(call), given, bench, (heard or Heard()).tell)


def outcomes(found: Ran) -> dict[str, str]:
    return {test.id: test.outcome.value for test in found.report.tests}


async def suite(root: Path, code: str, layer: Layer, bench: Bench) -> Ran:
    return await ran(tree(root / "tree", {"test_a.py": f"import pytest\n{code}"}, layer), bench)


async def test_pytest_says_each_test_as_it_ends_and_the_report_has_the_same(
    tmp_path: Path, python: Layer, bench: Bench
) -> None:
    """S2.8."""
    files = {
        "pyproject.toml": "[project]\nname = 'shop'\nversion = '1.2'\n[tool.pytest.ini_options]\naddopts = '-x'\n",
        "src/shop/__init__.py": "",
        "tests/test_shop.py": """
import pytest, shop
from importlib.metadata import version
def test_is_installed(): assert version("shop") == "1.2"
def test_breaks(): assert 1 == 2, "no"
@pytest.mark.parametrize("x", ["a::b", "c d"])
def test_each(x): pass
def test_skipped(): pytest.skip()
@pytest.fixture
def broken(): raise RuntimeError
def test_cannot_be_set_up(broken): pass
""",
    }
    heard = Heard()
    found = await ran(tree(tmp_path / "tree", files, python), bench, heard)
    assert outcomes(found) == {
        "tests.test_shop::test_is_installed": "passed",
        "tests.test_shop::test_breaks": "failed",
        "tests.test_shop::test_each[a::b]": "passed",
        "tests.test_shop::test_each[c d]": "passed",
        "tests.test_shop::test_skipped": "skipped",
        "tests.test_shop::test_cannot_be_set_up": "errored",
    }
    assert heard.tests == outcomes(found)
    assert not found.report.fault
    assert "1 failed" in found.output
    assert not any("\x1e" in str(each.data) for each in heard.all)


async def test_unittest_is_run_where_nothing_speaks_of_pytest(tmp_path: Path, bench: Bench) -> None:
    heard = Heard()
    given = tree(tmp_path / "tree", {"setup.py": "", "tests/__init__.py": "", "tests/test_a.py": SUITE})
    found = await ran(given, bench, heard)
    expected = {"tests.test_a.T.test_adds": "passed", "tests.test_a.T.test_breaks": "failed"}
    assert outcomes(found) == expected | {"tests.test_a.T.test_later": "skipped"} == heard.tests


async def test_vitest_says_each_test_as_it_ends(tmp_path: Path, node: Layer, bench: Bench) -> None:
    files = {
        "package.json": '{"type": "module", "scripts": {"test": "vitest"}}',
        "cart.test.js": """
import { describe, expect, it } from "vitest";
describe("cart", () => {
  it("adds", () => expect(1 + 1).toBe(2));
  it("breaks", () => expect(1 + 1).toBe(3));
  it.skip("later", () => {});
});
""",
    }
    heard = Heard()
    found = await ran(tree(tmp_path / "tree", files, node), bench, heard)
    assert found.report.fault == ""
    assert outcomes(found) == {
        "cart.test.js::cart > adds": "passed",
        "cart.test.js::cart > breaks": "failed",
        "cart.test.js::cart > later": "skipped",
    }
    assert heard.tests == outcomes(found)


async def test_the_runner_of_node_itself_is_read_by_its_protocol(tmp_path: Path, bench: Bench) -> None:
    files = {
        "package.json": '{"scripts": {"test": "node --test"}}',
        "a.test.js": "const {test} = require('node:test'); test('a', () => {}); test('b', () => {throw Error('x')})",
    }
    heard = Heard()
    found = await ran(tree(tmp_path / "tree", files), bench, heard)
    assert found.report.fault == ""
    assert sorted(outcomes(found).values()) == ["failed", "passed"]
    assert sorted(heard.tests.values()) == ["failed", "passed"]


CHECKED: list[tuple[str, Mapping[str, str], list[tuple[str, str, int]]]] = [
    ("ruff", {"api/pyproject.toml": "[tool.ruff]\n", "api/a.py": "import os\n"}, [("F401", "api/a.py", 1)]),
    (
        "eslint",
        {
            "package.json": "{}",
            "eslint.config.mjs": "export default [{ rules: { 'no-debugger': 'error' } }];",
            "a.js": "\ndebugger;\n",
        },
        [("no-debugger", "a.js", 2)],
    ),
    (
        "tsc",
        {"tsconfig.json": '{"compilerOptions": {"types": []}}', "a.ts": "const a: number = 'b';\n"},
        [("TS2322", "a.ts", 1)],
    ),
]


@pytest.mark.parametrize(
    ("tool", "files", "expected"),
    # the compiler alone takes as long as all others together
    [pytest.param(*each, id=each[0], marks=[pytest.mark.soak] if each[0] == "tsc" else []) for each in CHECKED],
)
async def test_checkers_find_what_is_wrong(
    tmp_path: Path,
    python: Layer,
    node: Layer,
    bench: Bench,
    tool: str,
    files: Mapping[str, str],
    expected: list[tuple[str, str, int]],
) -> None:
    given = tree(tmp_path / "tree", files, python if tool == "ruff" else node)
    (call,) = choose(Sources(given.path), Instructions()).checks
    report = (await run(whole(call), given, bench)).report
    assert report.fault == ""
    assert [(each.rule, each.path, each.line) for each in report.findings] == expected


async def test_a_command_of_the_repository_is_read_by_the_reports_that_it_names(tmp_path: Path, bench: Bench) -> None:
    xml = '<testsuite><testcase classname="a" name="b"/></testsuite>'
    line = f"mkdir reports && echo '{xml}' > reports/r.xml"
    call = Call("junit", "tests", "web", Command(("sh", "-c", line), is_shell=True), "", ("reports/*.xml",))
    found = await run(whole(call), tree(tmp_path / "tree", {"web/x": ""}), bench)
    assert outcomes(found) == {"a::b": "passed"}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\ndef test_a(): os._exit(0)", "There is no report"),
        ("def test_a(): pytest.skip()", "No test ran"),
        ("raise SystemExit(0)", "pytest itself failed"),
        ("import nothing_like_it", "could not collect"),
        ("def test_a(): open('/out/pytest.xml', 'w').write('<x'); import os; os._exit(0)", "not XML"),
    ],
)
async def test_what_is_no_result_is_a_fault(tmp_path: Path, python: Layer, bench: Bench, code: str, said: str) -> None:
    found = await suite(tmp_path, code, python, bench)
    assert said in found.report.fault


async def test_a_suite_that_hangs_is_ended_and_is_a_fault(tmp_path: Path, python: Layer, bench: Bench) -> None:
    code = "import time\ndef test_a(): pass\ndef test_b():\n    while True: time.sleep(1)"
    found = await suite(tmp_path, code, python, replace(bench, timeout=15))
    assert "stopped after 15 s" in found.report.fault
    assert outcomes(found) == {"test_a::test_a": "passed"}


async def test_a_suite_that_prints_without_end_is_bounded(tmp_path: Path, python: Layer, bench: Bench) -> None:
    code = "import sys\ndef test_a():\n    while True: sys.__stderr__.write('x' * 200 + '\\n')"
    heard = Heard()
    given = tree(tmp_path / "tree", {"test_a.py": code, "pytest.ini": "[pytest]\naddopts = -s\n"}, python)
    limits = replace(bench.limits, output=MIB)
    found = await ran(given, replace(bench, timeout=4, limits=limits), heard)
    assert "stopped after 4 s" in found.report.fault
    assert len(found.output) < 300_000
    assert len(heard.all) < 3_000


async def test_a_program_that_is_not_there_is_named(tmp_path: Path, bench: Bench) -> None:
    given = tree(tmp_path / "tree", {"package.json": '{"scripts": {"test": "mocha"}}'})
    assert "mocha is not installed" in (await ran(given, bench)).report.fault


async def test_a_report_that_the_tree_brings_along_is_not_read(tmp_path: Path, bench: Bench) -> None:
    forged = '<testsuite><testcase classname="a" name="b"/></testsuite>'
    call = Call("surefire", "tests", "", Command(("true",)), "", ("**/target/surefire-reports/TEST-*.xml",))
    given = tree(tmp_path / "tree", {"target/surefire-reports/TEST-a.xml": forged})
    found = await run(call, given, bench)
    assert "There is no report" in found.report.fault
    assert (given.path / "target/surefire-reports/TEST-a.xml").exists()


async def test_a_report_that_is_a_link_is_not_followed(tmp_path: Path, bench: Bench) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text('<testsuite><testcase classname="a" name="sesame"/></testsuite>')
    call = Call("junit", "tests", "", Command(("ln", "-s", str(secret), "/out/r.xml")), "", ("/out/*.xml",))
    found = await run(call, tree(tmp_path / "tree", {"a": ""}), bench)
    assert "There is no report" in found.report.fault


async def test_a_suite_reaches_neither_the_home_folder_nor_the_network(
    tmp_path: Path, python: Layer, bench: Bench
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        places = [str(tmp_path), __file__, "/etc/shadow", *(str(Path.home() / each) for each in (".bashrc", ".ssh"))]
        code = f"""
import os, pathlib, socket
def test_home(): assert sorted(os.listdir(os.path.expanduser("~"))) == []
@pytest.mark.parametrize("place", {places})
def test_files(place): assert not pathlib.Path(place).exists()
@pytest.mark.parametrize("address", [("127.0.0.1", {port}), ("1.1.1.1", 443)])
def test_network(address):
    with pytest.raises(OSError): socket.create_connection(address, timeout=2)
def test_environment(): assert not [name for name in os.environ if "TOKEN" in name or "HANDRAIL" in name]
"""
        os.environ["HANDRAIL_TEST_TOKEN"] = "sesame"
        try:
            found = await suite(tmp_path, code, python, bench)
        finally:
            del os.environ["HANDRAIL_TEST_TOKEN"]
    assert found.report.fault == ""
    assert [test for test in found.report.tests if test.outcome != "passed"] == []


async def test_a_suite_that_writes_into_its_tree_changes_nothing(tmp_path: Path, python: Layer, bench: Bench) -> None:
    code = """
import pathlib, shutil
def test_a():
    pathlib.Path("new.txt").write_text("x")
    pathlib.Path("test_a.py").write_text("")
    shutil.rmtree("data")
def test_layer():
    with pytest.raises(OSError): pathlib.Path(pytest.__file__).write_text("")
"""
    given = tree(tmp_path / "tree", {"test_a.py": f"import pytest\n{code}", "data/x": "1"}, python)
    before = sorted(given.path.rglob("*"))
    found = await ran(given, bench)
    assert set(outcomes(found).values()) == {"passed"}
    assert sorted(given.path.rglob("*")) == before
    assert (given.path / "test_a.py").read_text().endswith(code)
    assert list(bench.scratch.iterdir()) == []


async def test_secrets_are_hidden_in_all_that_people_see(tmp_path: Path, python: Layer, bench: Bench) -> None:
    token, body = "ghp_" + "a1B2" * 9, "MIIEow" + "x" * 40
    key = f"-----BEGIN RSA PRIVATE KEY-----\\n{body}\\n-----END RSA PRIVATE KEY-----"
    code = f"def test_a():\n    print('{key}')\n    assert False, '{token}'"
    heard = Heard()
    found = await ran(tree(tmp_path / "tree", {"test_a.py": f"import pytest\n{code}"}, python), bench, heard)
    # the source that pytest quotes has the key on one line
    shown = found.output + str(found.report) + str([each.data for each in heard.all])
    assert token not in shown
    assert f"\n{body}" not in shown
    assert "[hidden]" in found.output


async def test_cancelling_ends_the_suite_and_leaves_nothing_behind(tmp_path: Path, python: Layer, bench: Bench) -> None:
    given = tree(
        tmp_path / "tree", {"test_a.py": "import time\ndef test_a(): pass\ndef test_b(): time.sleep(600)"}, python
    )
    (call,) = calls(given)
    ended = asyncio.Event()

    async def tell(progress: Progress) -> None:
        if progress.kind == "test":
            ended.set()

    task = asyncio.create_task(run(whole(call), given, bench, tell))
    await ended.wait()
    task.cancel()
    async with asyncio.timeout(60):
        with pytest.raises(asyncio.CancelledError):
            await task
    assert list(bench.scratch.iterdir()) == []
