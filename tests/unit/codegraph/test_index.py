"""Building an index: workers, cache, progress; and updating it."""

import json
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from codegraph_trees import index, put
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrail.codegraph.graph import Graph
from handrail.codegraph.index import Index, Options, Progress, build
from handrail.codegraph.model import Edge

BIG = "# a comment of some length, so that the files are worth a process\n" * 100


def everything(graph: Graph) -> tuple[object, ...]:
    edges: set[Edge] = set(graph.edges())
    calls = {module: graph.calls_of(module) for module in graph.modules}
    return dict(graph.modules), dict(graph.symbols), dict(graph.endpoints), edges, calls


def many(root: Path) -> None:
    put(root, {f"pkg/m{n}.py": BIG + f"x{n} = {n}\n" for n in range(40)})


def workers() -> list[psutil.Process]:
    found: list[psutil.Process] = []
    for child in psutil.Process().children():
        # one of another test may be gone by now
        with suppress(psutil.NoSuchProcess):
            if "handrail.codegraph.worker" in " ".join(child.cmdline()):
                found.append(child)
    return found


def test_worker_processes_and_one_process_find_the_same(tmp_path: Path) -> None:
    many(tmp_path)
    seen: list[bool] = []
    alone = build(tmp_path, Options(workers=1))
    shared = build(tmp_path, Options(workers=2), lambda _: seen.append(bool(workers())))
    assert any(seen), "no worker process was started"
    assert everything(shared.graph) == everything(alone.graph)
    assert workers() == []


def test_a_worker_that_dies_takes_no_more_than_its_file(tmp_path: Path) -> None:
    many(tmp_path)
    killed: list[int] = []

    def kill_one(_: Progress) -> None:
        if not killed and (running := workers()):
            killed.append(running[0].pid)
            running[0].kill()
            running[0].wait()

    found = build(tmp_path, Options(workers=2), kill_one)
    assert killed
    lost = [skipped for skipped in found.skipped if "crashed" in skipped.reason]
    assert len(lost) <= 1
    assert len(found.graph.modules) + len(lost) == 40


def test_progress_counts_up_to_all_files(tmp_path: Path) -> None:
    put(tmp_path, {f"m{n}.py": "" for n in range(3)})
    steps: list[Progress] = []
    build(tmp_path, Options(workers=1), steps.append)
    assert steps[0] == Progress("read", 0, 3)
    assert steps[-1] == Progress("done", 3, 3)


def test_the_cache_gives_the_same_graph_and_forgets_what_is_gone(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "cache"
    put(root, {"a.py": "import b\nb.f()\n", "b.py": "def f(): ...\n", "c.py": ""})
    options = Options(workers=1, cache_folder=folder)
    cold = build(root, options)
    assert everything(build(root, options).graph) == everything(cold.graph)
    (root / "c.py").unlink()
    put(root, {"b.py": "def g(): ...\n"})
    warm = build(root, options)
    assert everything(warm.graph) == everything(build(root, Options(workers=1)).graph)


def test_what_the_cache_kept_of_names_holds_for_the_same_files_and_settings_alone(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "cache"
    options = Options(workers=1, cache_folder=folder)

    def edges() -> list[tuple[str, str]]:
        return [(edge.source, edge.target) for edge in build(root, options).graph.edges() if edge.type == "imports"]

    def aliased(target: str) -> str:
        return json.dumps({"compilerOptions": {"paths": {"lib": [f"./{target}.ts"]}}})

    sources = {"a.ts": 'import { f } from "lib";\nf();\n', "one.ts": "export function f() {}\n"}
    put(root, {**sources, "two.ts": sources["one.ts"], "tsconfig.json": aliased("one")})
    assert [edges(), edges()] == [[("a.ts", "one.ts")]] * 2
    put(root, {"tsconfig.json": aliased("two")})
    assert edges() == [("a.ts", "two.ts")]
    index = build(root, options)
    put(root, {"two.ts": "export function g() {}\n"})
    assert index.update(["two.ts"]).resolved == ("a.ts", "two.ts")
    assert everything(index.graph) == everything(build(root, options).graph)


def test_a_cache_file_that_is_no_database_is_replaced(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "cache"
    put(root, {"a.py": "x = 1\n"})
    options = Options(workers=1, cache_folder=folder)
    build(root, options)
    for file in folder.iterdir():
        file.write_bytes(b"not a database" * 100)
    assert list(build(root, options).graph.modules) == ["a.py"]


def test_the_cache_is_closed_to_others(tmp_path: Path) -> None:
    put(tmp_path / "root", {"a.py": ""})
    build(tmp_path / "root", Options(workers=1, cache_folder=tmp_path / "cache"))
    assert (tmp_path / "cache").stat().st_mode & 0o077 == 0


def test_a_change_of_a_body_resolves_one_module(tmp_path: Path) -> None:
    found = index(tmp_path, {"a.py": "from b import f\nf()\n", "b.py": "def f(): return 1\n"})
    put(tmp_path, {"b.py": "def f():\n    return 2\n"})
    assert found.update(["b.py"]).resolved == ("b.py",)
    assert found.graph.symbols["b.py::f"].end_line == 2


def test_a_change_of_what_others_see_resolves_them_too(tmp_path: Path) -> None:
    files = {"a.py": "from b import f\nf()\n", "b.py": "def f(): ...\n", "c.py": "def f(): ...\n"}
    found = index(tmp_path, files)
    put(tmp_path, {"b.py": "def g(): ...\n"})
    assert found.update(["b.py"]).resolved == ("a.py", "b.py")
    assert [edge.type for edge in found.graph.edges_from("a.py")] == ["imports"]


def test_a_new_name_resolves_who_asked_for_it_and_nobody_else(tmp_path: Path) -> None:
    found = index(
        tmp_path,
        {
            "b.py": "def f():\n    return 1\n",
            "a.py": "from b import f\nf()\n",
            "c.py": "from b import g\ng()\n",
        },
    )
    put(tmp_path, {"b.py": "def g():\n    return 2\ndef f():\n    return 1\n"})
    assert found.update(["b.py"]).resolved == ("b.py", "c.py")
    assert [call.target for module in ("a.py", "c.py") for call in found.graph.calls_of(module)] == [
        "b.py::f",
        "b.py::g",
    ]


def test_a_new_type_in_a_file_is_seen_by_its_neighbours(tmp_path: Path) -> None:
    head = "package shop;\n"
    found = index(
        tmp_path,
        {
            "shop/Orders.java": head + "class Orders {}\n",
            "shop/Desk.java": head + "class Desk { void open() { new Bill(); } }\n",
        },
    )
    put(tmp_path, {"shop/Orders.java": head + "class Orders {}\nclass Bill {}\n"})
    found.update(["shop/Orders.java"])
    assert [call.target for call in found.graph.calls_of("shop/Desk.java")] == ["shop/Orders.java::Bill"]


def test_changes_are_found_by_looking_at_the_tree(tmp_path: Path) -> None:
    found = index(tmp_path, {"a.py": "import b\n", "b.py": "", "c.py": ""})
    put(tmp_path, {"b.py": "x = 1\n", "d.py": "import c\n"})
    (tmp_path / "c.py").unlink()
    assert found.update().changed == ("b.py", "c.py", "d.py")
    assert sorted(found.graph.modules) == ["a.py", "b.py", "d.py"]
    assert found.update().changed == ()


def test_a_file_that_becomes_binary_leaves_the_graph_and_says_why(tmp_path: Path) -> None:
    found = index(tmp_path, {"a.py": "x = 1\n", "b.py": "import a\n"})
    (tmp_path / "a.py").write_bytes(b"\0\1\2")
    found.update(["a.py"])
    assert list(found.graph.modules) == ["b.py"]
    assert [(s.path, s.reason) for s in found.skipped] == [("a.py", "binary")]
    put(tmp_path, {"a.py": "x = 2\n"})
    found.update(["a.py"])
    assert found.skipped == []
    assert [edge.target for edge in found.graph.edges_from("b.py")] == ["a.py"]


LINES = [
    "from b import f",
    "from a import *",
    "import c",
    "from c import K",
    "def f(): return g()",
    "def g(): return f()",
    "class K:\n    def run(self): self.stop()\n    def stop(self): ...",
    "class L(K):\n    def stop(self): K().run()",
    "def use(k: K): k.run()",
    "def guess(x): x.stop_all()",
    "class M:\n    def stop_all(self): ...",
    "from fastapi import FastAPI, APIRouter\nrouter = APIRouter(prefix='/r')",
    "from a import router",
    "app = FastAPI()\napp.include_router(router, prefix='/x')",
    "@router.get('/one')\ndef one(): return f()",
]
EDITS = st.lists(
    st.tuples(st.sampled_from(["a.py", "b.py", "c.py", "test_d.py"]), st.lists(st.sampled_from(LINES), max_size=4)),
    min_size=1,
    max_size=6,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(edits=EDITS, removed=st.sampled_from(["", "a.py", "b.py"]))
def test_updates_lead_to_the_graph_of_a_fresh_build(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[str, list[str]]], removed: str
) -> None:
    root = tmp_path_factory.mktemp("tree")
    found: Index = index(root, {"a.py": LINES[4], "b.py": LINES[6], "c.py": LINES[11]})
    for path, lines in edits:
        (root / path).write_text("\n".join(lines) + "\n")
        found.update([path])
    if removed:
        (root / removed).unlink(missing_ok=True)
        found.update([removed])
    assert everything(found.graph) == everything(build(root, Options(workers=1)).graph)
