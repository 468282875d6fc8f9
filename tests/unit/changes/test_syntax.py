"""The parse gate: no edit makes a file worse than it was."""

import shutil
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from changes_world import Workshop

from handrail.changes.editing.desk import Edit
from handrail.changes.editing.errors import DoesNotParse
from handrail.changes.editing.syntax import ParseGate, python, trees, typescript
from handrail.changes.editing.trees import File

GOOD = {
    "a.py": "def f():\n    return 1\n",
    "a.ts": "export const f = (a: number): string => `${a}`;\n",
    "a.tsx": "export const A = () => <b>hi</b>;\n",
    "a.js": "export const f = (a) => a ?? 1;\n",
    "a.cjs": "module.exports = () => 1;\n",
    "A.java": "class A { int f() { return 1; } }\n",
    "A.cs": "class A { int F() { return 1; } }\n",
    "a.sh": "if true; then echo hi; fi\n",
    "a.go": "package a\n\nfunc f() int { return 1 }\n",
    "a.rs": "fn f() -> i32 { 1 }\n",
    "a.c": "int f(void) { return 1; }\n",
    "a.cpp": "template <class T> T f(T a) { return a; }\n",
    "a.json": '{"a": [1, 2]}\n',
    "a.toml": "[a]\nb = 1\n",
}
BAD = {
    "a.py": "def f():\nreturn 1\n",
    "a.ts": "export const f = (a: number): string => `${a};\n",
    "a.tsx": "export const A = () => <b>hi</i>;\n",
    "a.js": "export const f = (a: number) => a ?? 1;\n",
    "a.cjs": "module.exports = () => {;\n",
    "A.java": "class A { int f() { return 1; }\n",
    "A.cs": "class A { int F() { return 1 } }\n",
    "a.sh": "if true; then echo hi\n",
    "a.go": "package a\n\nfunc f() int { return 1\n",
    "a.rs": "fn f() -> i32 { 1\n",
    "a.c": "int f(void) { return 1;\n",
    "a.cpp": "template <class T T f(T a) { return a; }\n",
    "a.json": '{"a": [1, 2,]}\n',
    "a.toml": "[a\nb = 1\n",
}


@pytest.mark.parametrize("path", GOOD)
def test_what_parses_is_written_and_what_does_not_is_refused(workshop: Workshop, path: str) -> None:
    workshop.done("create", path=path, text=GOOD[path])
    old = GOOD[path].splitlines()
    answer = workshop.refused("replace_text", path=path, old="\n".join(old), new=BAD[path])
    assert answer.code == "does_not_parse"
    assert f"{path} would no longer parse" in answer.text
    assert workshop.refused("create", path=f"new/{path}", text=BAD[path]).code == "does_not_parse"


def test_the_line_that_does_not_parse_is_named(workshop: Workshop) -> None:
    answer = workshop.refused("create", path="a.py", text="x = 1\ny = (2\nz = 3\n")
    assert "'(' was never closed at line 2, `y = (2`" in answer.text


@pytest.mark.parametrize("path", BAD)
def test_a_file_that_was_broken_may_be_mended_or_stay_as_broken(workshop: Workshop, path: str) -> None:
    comment = {"a.json": "", "a.toml": "# note\n", "a.py": "# note\n", "a.sh": "# note\n"}.get(path, "// note\n")
    workshop.put(path, BAD[path])
    if comment:
        workshop.done("insert", path=path, text=comment, before="start")
    workshop.done("replace_text", path=path, old=BAD[path], new=GOOD[path])
    assert workshop.text(path) == comment + GOOD[path]


def test_a_broken_python_file_must_not_get_worse(workshop: Workshop) -> None:
    workshop.put("old.py", "print 'hello'\nx = 1\n")
    answer = workshop.refused("replace_text", path="old.py", old="x = 1", new="x = ((1")
    assert answer.code == "does_not_parse"
    workshop.done("replace_text", path="old.py", old="x = 1", new="x = 2")


@pytest.mark.parametrize(
    "source", ["return 1\n", "def f():\n    yield\n    await x\n", "f(a=1, a=2)\n", "x = yield = 1\n", "\ta\n  b\n"]
)
def test_python_is_judged_by_its_compiler(source: str) -> None:
    (problem,) = python.Compiler().problems([("a.py", source.encode())])
    assert problem is not None


@pytest.mark.parametrize(
    "source", [b"(" * 100_000, b"-" * 300_000 + b"1", b"x = " + b"[" * 90 + b"]" * 90, b"\xff\xfe", b"a\0b"]
)
def test_a_hostile_source_ends_in_a_verdict_and_not_in_a_crash(source: bytes) -> None:
    first, second = python.Compiler().problems([("a.py", b"x = 1\n"), ("b.py", source)])
    assert first is None
    assert second is not None or source.startswith(b"x = [")


def test_an_encoding_line_is_heeded() -> None:
    assert python.Compiler().problems([("a.py", b"# -*- coding: latin-1 -*-\nx = '\xe9'\n")]) == [None]


def test_typescript_is_judged_by_its_own_parser() -> None:
    checker = typescript.found(None)
    assert checker is not None, "Node.js and web/node_modules are part of a checkout's set-up"
    valid = (
        b"const f = <T,>(a: T) => a;\nlet x = f<string>('1') satisfies string;\naccessor: for (;;) break accessor;\n"
    )
    broken = b"const a = 1\nconst b = ;\nconst c = );\n"
    assert checker.problems([("a.ts", valid)]) == [None]
    (problem,) = checker.problems([("a.ts", broken)])
    assert problem is not None
    assert (problem.line, problem.errors >= 2) == (2, True)


def test_typescripts_parser_is_loaded_once_for_many_edits() -> None:
    checker = typescript.found(None)
    assert checker is not None and checker is typescript.found(None)
    checker.problems([("a.ts", b"let a;\n")])
    [before] = _parsers()
    for _ in range(3):
        assert checker.problems([("a.ts", b"let \xe2\x80\xa8 a;\n"), ("b.ts", b"let = ;\n")])[1] is not None
    assert _parsers() == [before]


def test_a_parser_that_crashes_refuses_and_is_replaced(tmp_path: Path) -> None:
    compiler = tmp_path / "typescript.js"
    compiler.write_text("process.exit(1)")
    with closing(typescript.TypeScript(_node(), compiler)) as checker:
        [problem] = checker.problems([("a.ts", b"let a;\n" * 100_000)])
        assert problem is not None and "gave up" in problem.message
        compiler.write_text(f"module.exports = require({str(typescript.CHECKOUT)!r});")
        assert checker.problems([("a.ts", b"let a;\n")]) == [None]


def test_a_parser_that_never_ends_refuses_and_is_gone(tmp_path: Path) -> None:
    compiler = tmp_path / "typescript.js"
    compiler.write_text("for (;;);")
    before = _parsers()
    [problem] = typescript.TypeScript(_node(), compiler, seconds=0.3).problems([("a.ts", b"let a;\n")])
    assert problem is not None and "gave up" in problem.message
    assert _parsers() == before


def _node() -> str:
    found = shutil.which("node")
    assert found is not None
    return found


def _parsers() -> list[int]:
    children = psutil.Process().children()
    return [each.pid for each in children if any(word.endswith("typescript.cjs") for word in each.cmdline())]


def test_without_node_tree_sitter_decides(tmp_path: Path) -> None:
    gate = ParseGate(compiler=tmp_path / "none.js")
    gate.check([Edit("a.ts", None, File(GOOD["a.ts"].encode()))])
    with pytest.raises(DoesNotParse):
        gate.check([Edit("a.ts", None, File(BAD["a.ts"].encode()))])


def test_errors_are_counted_and_not_only_seen() -> None:
    one, two = trees.CHECKER.problems(
        [("A.java", b"class A { int f( { } }"), ("A.java", b"class A { int f( { } int g( { } }")]
    )
    assert one is not None
    assert two is not None
    assert two.errors > one.errors


def test_files_of_other_kinds_pass(workshop: Workshop) -> None:
    workshop.done("create", path="notes.md", text="# ((\n")
    workshop.done("create", path="tsconfig.json", text='{ // with a comment\n "a": 1, }\n')
