"""Files made to break an index: it completes, and says what it left out."""

from pathlib import Path

import pytest

from handrail.codegraph.index import Options, build

GOOD = b"def fine():\n    return 1\n"
HOSTILE = {
    "open_brackets.py": b"(\n" * 150_000,
    "nested_calls.py": b"f(" * 20_000 + b")" * 20_000,
    "nested_lists.py": b"x = " + b"[" * 5_000 + b"]" * 5_000,
    "long_chain.py": b"a" + b".b()" * 20_000 + b"\n",
    "long_sum.py": b"x = " + b" + ".join([b"'a'"] * 20_000) + b"\n",
    "unclosed.py": b"'''" + b"text \\ \n" * 10_000,
    "deep_blocks.py": b"".join(b" " * n + b"if x:\n" for n in range(400)),
    "deep_classes.py": b"".join(b" " * n + b"class C%d:\n" % n for n in range(200)) + b" " * 200 + b"pass\n",
    "many_names.py": b"from m import " + b", ".join(b"n%d" % n for n in range(5_000)) + b"\n",
    "self_base.py": b"class A(A): ...\nclass B(B.C): ...\n",
    "half_utf8.py": b"name = '\xc3'\n" + GOOD,
    "latin.py": "# -*- coding: latin-1 -*-\nname = 'Gr\u00fc\u00dfe'\n".encode("latin-1") + GOOD,
    "wide.py": "x = 'wide'\n".encode("utf-16"),
    "mark.py": b"\xef\xbb\xbf" + GOOD,
    "carriage.py": b"def one():\r\n    pass\r\n\rdef two(): pass\r",
    "surrogate.py": b"x = '\\ud800'\n",
    "hashes.py": b"def f():\n    # " + b"# " * 5_000 + b"\n    # " + b"#" * 5_000 + b"\n    return 1\n",
    "spaces.py": b"def f(a"
    + b" " * 100_000
    + b") -> x"
    + b" " * 100_000
    + b"y"
    + b" " * 100_000
    + b"; z"
    + b" " * 100_000
    + b"= 1\n",
    "empty.py": b"",
    "brackets.ts": b"(\n" * 150_000,
    "calls.js": b"f(" * 20_000 + b")" * 20_000,
    "chain.ts": b"a" + b".get('/x', () => 1)\n" * 1_500,
    "blocks.ts": b"{\n" * 20_000 + b"}\n" * 20_000,
    "functions.js": b"const f = () => {\n" * 2_000 + b"};\n" * 2_000,
    "objects.js": b"module.exports = " + b"{a: \n" * 3_000 + b"1" + b"}" * 3_000,
    "generics.ts": b"let x: " + b"A<\n" * 3_000 + b"B" + b">" * 3_000,
    "template.ts": b"x = `" + b"${`\n" * 2_000 + b"`}" * 2_000 + b"`",
    "jsx.tsx": b"x = " + b"<a>\n" * 5_000 + b"</a>" * 5_000,
    "sum.js": b"app.get('/' + " + b" +\n".join([b"'a'"] * 20_000) + b", f)",
    "Brackets.java": b"(\n" * 150_000,
    "Chain.java": b"class A { Object x = a" + b".get(1)\n" * 1_500 + b"; }",
    "Classes.java": b"class A {\n" * 2_000 + b"}" * 2_000,
    "Sum.java": b"class A { String x = " + b" +\n".join([b'"a"'] * 20_000) + b"; }",
    "Self.java": b"package p; import p.Self; class Self extends Self { class In extends In {} In in; }",
    "Chain.cs": b"class A { object x = app" + b".MapGroup(1)\n" * 1_500 + b"; }",
    "Blocks.cs": b"namespace A {\n" * 2_000 + b"}" * 2_000,
    "Generics.cs": b"class A { " + b"B<\n" * 3_000 + b"C" + b">" * 3_000 + b" x; }",
    "Self.cs": b"using Self = Self; namespace N; class Self : Self { Self Self => Self.Self; }",
    "brackets.go": b"(\n" * 150_000,
    "chain.go": b"package a\nvar x = a" + b".get(1).\n" * 1_500 + b"b()",
    "blocks.go": b"package a\nfunc f() " + b"{\n" * 2_000 + b"}" * 2_000,
    "self.go": b"package a\ntype A struct { A; *A }\nfunc (a A) A() A { return a.A.A() }\n",
    "paths.rs": b"use " + b"a::{\n" * 3_000 + b"b" + b"}" * 3_000 + b";",
    "macros.rs": b"fn f() { m!" + b"(x.y\n" * 3_000 + b")" * 3_000 + b"; }",
    "words.rs": b"fn f() { m!(" + b"a.b(c)::d \n" * 20_000 + b"); }",
    "types.rs": b"fn f() -> " + b"Option<\n" * 3_000 + b"A" + b">" * 3_000 + b" {}",
    "self.rs": b"use self::self_::*; mod self_; use super::super::x; impl Self for Self { fn f() { Self::Self() } }",
    "pointers.c": b"int " + b"*\n" * 20_000 + b"x;",
    "declarators.c": b"int " + b"(\n" * 3_000 + b"x" + b")" * 3_000 + b"(int);",
    "self.h": b'#include "self.h"\n#include "../../../../etc/passwd"\nclass A : public A { A a(); A::A b; };',
    "templates.cpp": b"A" + b"<B\n" * 3_000 + b">" * 3_000 + b" x;",
    "namespaces.cpp": b"namespace a {\n" * 2_000 + b"}" * 2_000,
    "chain.cpp": b"int x = a" + b"->get(1)\n" * 1_500 + b";",
    "cycle.ts": b'export * from "./cycle"; export { a } from "./cycle"; import b from "./cycle"; a(); b.c();',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_content_stops_the_index(tmp_path: Path, name: str) -> None:
    (tmp_path / "good.py").write_bytes(GOOD)
    (tmp_path / name).write_bytes(HOSTILE[name])
    found = build(tmp_path, Options(workers=1))
    assert "good.py::fine" in found.graph.symbols
    reasons = {skipped.path: skipped.reason for skipped in found.skipped}
    assert set(reasons) <= {name}
    assert not any(reason.startswith("could not be read") for reason in reasons.values())


def test_reasons_are_given(tmp_path: Path) -> None:
    (tmp_path / "data.py").write_bytes(b"\x7fELF\0\0\0")
    (tmp_path / "packed.py").write_bytes(b"x=1;" * 10_000)
    (tmp_path / "broken.py").write_bytes(b"(\n" * 100_000)
    with (tmp_path / "huge.py").open("wb") as huge:
        huge.truncate(50_000_000)
    found = build(tmp_path, Options(workers=1))
    assert {s.path: s.reason for s in found.skipped} == {
        "data.py": "binary",
        "packed.py": "minified",
        "broken.py": "does not parse",
        "huge.py": "larger than 1000000 bytes (50000000)",
    }


@pytest.mark.parametrize("suffix", [".py", ".js", ".ts", ".tsx", ".java", ".cs"])
def test_reasons_are_the_same_for_every_language(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"data{suffix}").write_bytes(b"\xcf\xfa\xed\xfe\0\0\0")
    (tmp_path / f"packed{suffix}").write_bytes(b"x=1;" * 10_000)
    (tmp_path / f"lib.min{suffix}").write_bytes(b"x = 1\n")
    (tmp_path / f"latin{suffix}").write_bytes("\n// Gr\u00fc\u00dfe\n".encode("latin-1"))
    with (tmp_path / f"huge{suffix}").open("wb") as huge:
        huge.truncate(50_000_000)
    found = build(tmp_path, Options(workers=1))
    assert list(found.graph.modules) == [f"latin{suffix}"]
    assert {s.path: s.reason for s in found.skipped} == {
        f"data{suffix}": "binary",
        f"packed{suffix}": "minified",
        f"lib.min{suffix}": "minified",
        f"huge{suffix}": "larger than 1000000 bytes (50000000)",
    }


def test_an_empty_repository_is_an_empty_graph(tmp_path: Path) -> None:
    found = build(tmp_path)
    assert (dict(found.graph.modules), list(found.graph.edges()), found.skipped) == ({}, [], [])


def test_links_in_circles_and_out_of_the_tree_are_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "pkg").mkdir(parents=True)
    (tmp_path / "secret.ts").write_text("export const secret = 1;\n")
    (root / "a.ts").write_text('import "./up/secret"; import "./pkg/self/a"; import "../secret"; import "./link";\n')
    (root / "up").symlink_to(tmp_path)
    (root / "pkg" / "self").symlink_to(root)
    (root / "link.ts").symlink_to(tmp_path / "secret.ts")
    found = build(root, Options(workers=1))
    assert list(found.graph.modules) == ["a.ts"]
    assert list(found.graph.edges()) == []


def test_many_files_are_read_by_workers(tmp_path: Path) -> None:
    for number in range(1_000):
        folder = tmp_path / f"f{number % 50}"
        folder.mkdir(exist_ok=True)
        text = f'import "./m{(number + 50) % 1_000}";\n' + f"export const x{number} = 1;\n" * 9
        (folder / f"m{number}.ts").write_text(text)
    found = build(tmp_path, Options(workers=2))
    assert len(found.graph.modules) == 1_000
    assert len({edge for edge in found.graph.edges() if edge.type == "imports"}) == 1_000
    assert found.skipped == []


def test_text_in_other_encodings_is_read(tmp_path: Path) -> None:
    for name in ("half_utf8.py", "latin.py", "mark.py"):
        (tmp_path / name).write_bytes(HOSTILE[name])
    found = build(tmp_path, Options(workers=1)).graph
    assert {f"{name}::fine" for name in ("half_utf8.py", "latin.py", "mark.py")} <= set(found.symbols)
