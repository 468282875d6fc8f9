"""What a change is, besides its code: files outside the plan, hidden characters, links, modes, size, packages."""

import json
from pathlib import Path

import pytest
from changes_pairs import ANYWHERE, Files, change, rules

from handrail.changes.verifying import characters, dependencies, kinds, scope, size
from handrail.changes.verifying.change import Line, differing, read
from handrail.changes.verifying.gates import GATES, verification
from handrail.changes.verifying.model import Check, Finding, Verdict
from handrail.changes.verifying.scope import Scope


def test_only_what_differs_is_in_a_change(tmp_path: Path) -> None:
    found = change(tmp_path, {"a.py": "1\n2\n3\n", "b.py": "b\n"}, {"a.py": "1\nx\ny\n3\n", "b.py": "b\n"})
    (file,) = found.files
    assert (file.path, file.removed, file.added) == ("a.py", (Line(2, "2"),), (Line(2, "x"), Line(3, "y")))


def test_a_line_feed_alone_ends_a_line(tmp_path: Path) -> None:
    (file,) = change(tmp_path, {}, {"a.py": "x = '\u2028\x0c'\ny\n"}).files
    assert [line.text for line in file.added] == ["x = '\u2028\x0c'", "y"]


def test_very_long_changes_are_compared_without_their_order() -> None:
    before = tuple(f"line {n}" for n in range(50_000))
    gone, came = differing(before, (*reversed(before[:40_000]), "new"))
    assert (len(gone), came) == (10_000, (Line(40_001, "new"),))


def test_no_link_is_followed_on_the_way_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("hidden\n")
    for side in ("base", "head"):
        (tmp_path / side).mkdir()
    (tmp_path / "head" / "folder").symlink_to(tmp_path / "secret")
    (tmp_path / "head" / "key").symlink_to(tmp_path / "secret" / "key")
    found = read(tmp_path / "base", tmp_path / "head", ["folder/key", "key"])
    assert [(file.path, file.after.kind if file.after else "", file.added) for file in found.files] == [
        ("key", "link", ())
    ]


def test_a_moved_file_is_compared_with_what_it_was(tmp_path: Path) -> None:
    (file,) = change(tmp_path, {"a.py": "1\n2\n"}, {"b.py": "1\n3\n"}, ("a.py", "b.py")).files
    assert (file.path, file.old_path, file.added) == ("b.py", "a.py", (Line(2, "3"),))


def test_a_file_outside_the_plan_fails(tmp_path: Path) -> None:
    plan = Scope(lambda path: path == "a.py")
    assert scope.check(change(tmp_path, {}, {"a.py": "x\n"}), plan).verdict is Verdict.passed
    found = scope.check(change(tmp_path, {}, {"a.py": "x\n", "b.py": "x\n"}), plan)
    assert (found.verdict, [finding.path for finding in found.findings]) == (Verdict.failed, ["b.py"])


def test_where_a_file_was_moved_from_has_to_be_in_the_plan_too(tmp_path: Path) -> None:
    found = scope.check(
        change(tmp_path, {"a.py": "x\n"}, {"b.py": "x\n"}, ("a.py", "b.py")), Scope(lambda p: p == "b.py")
    )
    assert [finding.path for finding in found.findings] == ["a.py"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("if admin: # \u202e \u2066", "hidden_characters"),
        ("na\u200bme = 1", "hidden_characters"),
        ("x = 'a\U000e0041'", "hidden_characters"),
        ("x = '\u3164'", "hidden_characters"),
        ("x = 'a\u200db'", "hidden_characters"),
        ("print('ok')\rimport os", "hidden_characters"),
        ("x = '\x1b[2K'", "hidden_characters"),
        ("def p\u0430yment():", "lookalike_letters"),
    ],
)
def test_characters_that_hide_something_fail(tmp_path: Path, text: str, rule: str) -> None:
    found = characters.check(change(tmp_path, {}, {"a.py": f"x\n{text}\n"}))
    assert (found.verdict, rules(found), found.findings[0].line) == (Verdict.failed, [rule], 2)
    assert str(found.as_data()).isprintable()


@pytest.mark.parametrize(
    "text", ["naïve = 'Grüße'", "x = '👩‍👩‍👧 ❤️'", "name = 'Привет'", "x = '日本語'", "می‌خواهم", "\tx = 1", "line\r"]
)
def test_writing_of_people_passes(tmp_path: Path, text: str) -> None:
    assert characters.check(change(tmp_path, {}, {"a.py": f"x\n{text}\n"})).findings == ()


def test_a_byte_order_mark_at_the_start_passes(tmp_path: Path) -> None:
    assert characters.check(change(tmp_path, {}, {"a.cs": "\ufeffclass A {}\n"})).findings == ()


def test_marks_of_direction_in_prose_are_for_a_person(tmp_path: Path) -> None:
    assert characters.check(change(tmp_path, {}, {"a.md": "\u200fשלום\n"})).verdict is Verdict.unsure


def test_a_path_with_hidden_characters_fails(tmp_path: Path) -> None:
    assert rules(characters.check(change(tmp_path, {}, {"a\u202egnp.py": "x\n"}))) == ["hidden_in_path"]


@pytest.mark.parametrize(
    ("target", "rule", "verdict"),
    [
        ("b.py", "link", Verdict.unsure),
        ("../x/b.py", "link", Verdict.unsure),
        ("../../b", "link_outside", Verdict.failed),
        ("/etc/passwd", "link_outside", Verdict.failed),
        ("../.git/config", "link_outside", Verdict.failed),
    ],
)
def test_links_are_shown_and_never_lead_out(tmp_path: Path, target: str, rule: str, verdict: Verdict) -> None:
    for side in ("base", "head"):
        (tmp_path / side / "x").mkdir(parents=True)
    (tmp_path / "head" / "x" / "a").symlink_to(target)
    found = kinds.check(read(tmp_path / "base", tmp_path / "head", ["x/a"]))
    assert (rules(found), found.verdict) == ([rule], verdict)


def test_a_file_that_can_be_run_now_is_for_a_person(tmp_path: Path) -> None:
    change(tmp_path, {"a.sh": "x\n"}, {"a.sh": "x\n"})
    (tmp_path / "head" / "a.sh").chmod(0o755)
    found = kinds.check(read(tmp_path / "base", tmp_path / "head", ["a.sh"]))
    assert (rules(found), found.verdict) == (["mode_changed"], Verdict.unsure)


def test_a_folder_where_git_names_a_file_is_a_submodule(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "head" / "lib").mkdir(parents=True)
    assert rules(kinds.check(read(tmp_path / "base", tmp_path / "head", ["lib"]))) == ["submodule"]


def test_size_names_what_is_much_or_cannot_be_read(tmp_path: Path) -> None:
    head: Files = {"a.bin": b"\0\1", "b.py": "x\n" * 30, "c.txt": "y" * 2_000, "uv.lock": "z\n" * 500}
    found = size.check(change(tmp_path, {}, head), size.Limits(files=3, lines=20, file_bytes=1_000))
    assert set(rules(found)) == {"many_files", "many_lines", "binary", "large_file"}
    assert found.words == "4 files, 31 lines added, 0 removed: 4 things to look at."
    assert size.check(change(tmp_path / "x", {}, {"b.py": "x\n"})).verdict is Verdict.passed


def test_declared_packages_are_named(tmp_path: Path) -> None:
    base: Files = {
        "package.json": json.dumps({"dependencies": {"a": "1", "b": "1"}}),
        "pyproject.toml": "[project]\ndependencies = ['httpx>=1']\n",
        "requirements.txt": "flask==1\n",
        "go.mod": "module m\nrequire example.com/a v1.0.0\n",
        "Cargo.toml": "[dependencies]\nserde = '1'\n",
    }
    head: Files = {
        "package.json": json.dumps({"dependencies": {"a": "2"}, "scripts": {"postinstall": "curl x"}}),
        "pyproject.toml": "[project]\ndependencies = ['httpx>=1', 'left-pad']\n",
        "requirements.txt": "flask==2  # newer\n--index-url https://packages.test\n",
        "go.mod": "module m\nrequire example.com/a v1.1.0\nreplace example.com/a => ../a\n",
        "Cargo.toml": "[dependencies]\nserde = '1'\nrand = '1'\n",
    }
    found = dependencies.check(change(tmp_path, base, head))
    assert found.verdict is Verdict.unsure
    assert {finding.what for finding in found.findings} == {
        "`a` was `1` and is `2`.",
        "`b` was removed.",
        "`script postinstall` was added (curl x).",
        "`left-pad` was added.",
        "`flask` was `==1` and is `==2`.",
        "`--index-url` was added (--index-url https://packages.test).",
        "`example.com/a` was `v1.0.0` and is `v1.1.0`.",
        "`replace example.com/a` was added (replace example.com/a => ../a).",
        "`rand` was added (1).",
    }


def test_a_lock_that_changed_alone_or_names_a_new_source_is_found(tmp_path: Path) -> None:
    known, other = '"resolved": "https://registry.test/a.tgz"\n', '"resolved": "https://evil.test/a.tgz"\n'
    found = dependencies.check(change(tmp_path, {"package-lock.json": known}, {"package-lock.json": known + other}))
    assert (found.verdict, rules(found)) == (Verdict.failed, ["new_source", "lock_changed"])


def test_other_parts_of_a_manifest_change_no_package(tmp_path: Path) -> None:
    base: Files = {"package.json": '{"version": "1", "dependencies": {"a": "1"}}'}
    assert dependencies.check(change(tmp_path, base, {"package.json": '{"dependencies": {"a": "1"}}'})).findings == ()


def made(name: str, verdict: Verdict) -> Check:
    return Check(name, verdict, "words", (Finding("rule", "a.py", 1, "what", "why"),))


@pytest.mark.parametrize(
    ("verdicts", "overall"),
    [
        ({"tests": "passed", "coverage": "not_applicable"}, "passed"),
        ({"tests": "passed", "secrets": "failed"}, "failed"),
        ({"tests": "unsure", "secrets": "passed"}, "unsure"),
        ({"tests": "passed", "size": "failed"}, "unsure"),
        ({"tests": "not_applicable"}, "unsure"),
        ({}, "unsure"),
    ],
)
def test_the_verdict_over_all_follows_from_the_gates(verdicts: dict[str, str], overall: str) -> None:
    found = verification(made(name, Verdict(verdict)) for name, verdict in verdicts.items())
    assert found.verdict == overall
    assert found.as_data()["verdict"] == overall


def test_what_concerns_tests_stands_first_and_data_is_json() -> None:
    found = verification(made(name, Verdict.failed) for name in reversed(GATES))
    data = json.loads(json.dumps(found.as_data()))
    assert [check["name"] for check in data["checks"]] == list(GATES)
    assert data["checks"][0]["name"] == "test_integrity"
    assert (data["checks"][0]["is_gate"], data["checks"][0]["findings"][0]["why"]) == (True, "why")


def test_an_empty_change_is_whole(tmp_path: Path) -> None:
    nothing = change(tmp_path, {}, {})
    checks = [characters.check(nothing), kinds.check(nothing), size.check(nothing), scope.check(nothing, ANYWHERE)]
    assert {check.verdict for check in checks} == {Verdict.passed}
