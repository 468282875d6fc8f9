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
    assert "reaches 1 caller in 3 modules, 1 endpoint, 1 test" in shown
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


MIXED = {
    "api/app.ts": """
        import express from "express";
        import { total } from "./cart";
        const app = express();
        app.get("/cart", (request, response) => response.json(total()));
    """,
    "api/cart.ts": "export function total(): number { return 1; }\n",
    "api/cart.test.js": 'import { total } from "./cart";\ntest("sums", () => { total(); });\n',
    "shop/Orders.java": """
        package shop;
        @RestController class Orders { @GetMapping("/orders") int list() { return Store.total(); } }
    """,
    "shop/Store.java": "package shop;\nclass Store { static int total() { return 1; } }\n",
    "shop/StoreTest.java": "package shop;\nclass StoreTest { @Test void sums() { Store.total(); } }\n",
    "desk/Desk.cs": """
        namespace Desk;
        [ApiController, Route("desk")]
        public class DeskController : ControllerBase { [HttpGet] public int Get() => Sum.Total(); }
    """,
    "desk/Sum.cs": "namespace Desk;\npublic static class Sum { public static int Total() => 1; }\n",
    "desk/SumTests.cs": "namespace Desk;\npublic class SumTests { [Fact] public void Sums() { Sum.Total(); } }\n",
}


@pytest.fixture
def mixed(tree: Path) -> Path:
    put(tree, MIXED)
    return tree


def test_a_graph_of_all_languages_keeps_the_schema(mixed: Path) -> None:
    found = answer("build", mixed)
    jsonschema_rs.Draft202012Validator(document.schema(), validate_formats=True).validate(found)
    languages = {"python": 3, "typescript": 2, "javascript": 1, "java": 3, "csharp": 3}
    assert {name: figures["modules"] for name, figures in found["project"]["languages"].items()} == languages
    assert {"express", "spring", "aspnet", "fastapi"} <= set(found["project"]["frameworks"])


@pytest.mark.parametrize(
    ("target", "endpoint", "test"),
    [
        ("api/cart.ts::total", "GET /cart", "api/cart.test.js::sums"),
        ("shop/Store.java::Store.total", "GET /orders", "shop/StoreTest.java::StoreTest.sums"),
        ("Sum.Total", "GET /desk", "desk/SumTests.cs::SumTests.Sums"),
    ],
)
def test_a_change_leads_to_endpoints_and_tests_in_every_language(
    mixed: Path, target: str, endpoint: str, test: str
) -> None:
    found = answer("impact", mixed, target)
    assert [e["id"] for e in found["endpoints"]] == [endpoint]
    assert [t["id"] for t in found["tests"]] == [test]


def test_endpoints_map_and_questions_know_every_language(mixed: Path) -> None:
    assert [e["id"] for e in answer("endpoints", mixed)] == ["GET /cart", "GET /desk", "GET /items/{id}", "GET /orders"]
    shown = run("map", mixed).stdout
    assert all(
        text in shown for text in ("function total(): number", "static int total()", "public static int Total()")
    )
    assert answer("query", mixed, "impacted", "shop/Store.java") == ["shop/Orders.java", "shop/StoreTest.java"]


def test_the_schema_in_the_documentation_is_the_one_in_force() -> None:
    published = Path(__file__).parents[3] / "docs" / "codegraph.schema.json"
    assert json.loads(published.read_text()) == document.schema()


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
        (["query", "why"], 2, "'why' is not a question"),
        (["query", "path", "app.py"], 2, "Usage: path FROM TO"),
        (["query", "lines", "app.py", "a", "b"], 2, "Usage: lines"),
        (["impact", "nobody"], 3, "Nothing is called 'nobody'"),
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
