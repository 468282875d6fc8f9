"""`handrail graph` without a server."""

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from codegraph_trees import put
from typer.testing import CliRunner, Result

from handrail.cli.graph import app
from handrail.codegraph import document
from handrail.codegraph.index import build


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {
        "app.py": """
            from fastapi import FastAPI
            from lib import work
            app = FastAPI()
            @app.get("/items/{id}")
            def item(id: int): return work()
        """,
        "lib.py": "def work(): return 1\n",
        "tests/test_lib.py": "from lib import work\ndef test_work(): assert work() == 1\n",
    }
    put(tmp_path / "root", files)
    return tmp_path / "root"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def answer(*arguments: object) -> Any:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_build_prints_the_whole_graph(tree: Path) -> None:
    found = answer("build", tree)
    jsonschema_rs.Draft202012Validator(document.schema()).validate(found)
    assert found == {**document.document(build(tree)), "generatedAt": found["generatedAt"]}


def test_build_keeps_a_cache_unless_told_not_to(tree: Path) -> None:
    run("build", tree, "--no-cache")
    assert not (tree.parent / "cache").exists()
    run("build", tree)
    assert list((tree.parent / "cache" / "handrail" / "codegraph").glob("*.db"))


def test_impact_answers_with_callers_endpoints_and_tests(tree: Path) -> None:
    shown = run("impact", tree, "work").stdout
    assert "reaches 1 callers in 3 modules, 1 endpoints, 1 tests" in shown
    assert "GET     /items/{id}  app.py::item" in shown
    found = answer("impact", tree, "lib.work")
    assert [test["id"] for test in found["tests"]] == ["tests/test_lib.py::test_work"]


def test_endpoints_by_pattern(tree: Path) -> None:
    assert [e["id"] for e in answer("endpoints", tree, "/items/7")] == ["GET /items/{id}"]
    assert answer("endpoints", tree, "/nothing") == []


def test_map_keeps_its_budget(tree: Path) -> None:
    found = answer("map", tree, "--tokens", 12)
    assert found["tokens"] <= 12
    assert "def work()" in run("map", tree).stdout


QUESTIONS: list[tuple[list[str], object]] = [
    (["find", "work"], ["lib.py::work"]),
    (["tag", "test"], ["tests/test_lib.py"]),
    (["impacted", "lib.py", "--depth", "1"], ["app.py", "tests/test_lib.py"]),
    (["dependencies", "lib.py"], {"callers": ["app.py", "tests/test_lib.py"], "callees": []}),
    (["cycles"], []),
    (["path", "app.py", "lib.py"], [{"from": "app.py", "to": "lib.py", "type": "imports", "confidence": 1.0}]),
]


@pytest.mark.parametrize(("question", "expected"), QUESTIONS, ids=[q[0] for q, _ in QUESTIONS])
def test_questions(tree: Path, question: list[str], expected: object) -> None:
    assert answer("query", tree, *question) == expected


def test_lines_and_tests_and_diagrams(tree: Path) -> None:
    assert '"id": "lib.py::work"' in run("query", tree, "lines", "lib.py", 1, 1).stdout
    assert "test_work" in run("query", tree, "tests", "work").stdout
    assert run("query", tree, "mermaid", "lib.py").stdout.startswith("flowchart LR\n")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["query", "why"], 2, "no question 'why'"),
        (["query", "path", "app.py"], 2, "ask as: path FROM TO"),
        (["query", "lines", "app.py", "a", "b"], 2, "ask as: lines"),
        (["impact", "nobody"], 3, "nothing is called 'nobody'"),
    ],
)
def test_wrong_questions_say_what_to_do(tree: Path, arguments: list[str], code: int, message: str) -> None:
    result = run(arguments[0], tree, *arguments[1:])
    assert (result.exit_code, message in result.stderr, result.stdout) == (code, True, "")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    result = run("build", tmp_path / "nowhere")
    assert (result.exit_code, "is not a directory" in result.stderr) == (3, True)


def test_names_in_the_tree_cannot_speak_to_the_terminal(tree: Path) -> None:
    (tree / "a\x1b[31m.py").write_text("x = 1\n")
    assert "\x1b" not in run("build", tree).stdout
    assert "\x1b" not in run("build", tree, "--json").stdout
