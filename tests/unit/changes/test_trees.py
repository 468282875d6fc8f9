"""A folder that nothing leads out of, and files that keep what is theirs."""

import os
from pathlib import Path

import pytest
from changes_world import Workshop

from handrail.changes.editing.errors import BadPath, Refused
from handrail.changes.editing.trees import File, Folder


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outside")
    (folder / "secret.txt").write_text("secret\n")
    return folder


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.txt", "a/../../secret.txt", "/etc/passwd", "C:/Windows", "a\\..\\b", "", ".", "a//b", "./a",
        "a/", ".git/config", "sub/.git/hooks/pre-commit", ".GIT/config", ".git./config", "a\0b", "a\nb",
        "\u202egnp.txt", "x" * 1001, f"{'x' * 300}.txt",
    ],
)  # fmt: skip
def test_a_path_that_leads_out_or_is_none_is_refused(workshop: Workshop, path: str) -> None:
    with pytest.raises(BadPath):
        workshop.tree.read(path)
    with pytest.raises(BadPath):
        workshop.tree.write(path, File(b"x"))
    assert workshop.snapshot() == {}


@pytest.mark.parametrize("path", ["link.txt", "folder/secret.txt", "inner.txt", "dangling.txt", "folder/new.txt"])
def test_links_are_not_followed(workshop: Workshop, outside: Path, path: str) -> None:
    workshop.put("real.txt", "real\n")
    (workshop.root / "link.txt").symlink_to(outside / "secret.txt")
    (workshop.root / "folder").symlink_to(outside)
    (workshop.root / "inner.txt").symlink_to("real.txt")
    (workshop.root / "dangling.txt").symlink_to(outside / "new.txt")
    for attempt in (
        lambda: workshop.tree.read(path),
        lambda: workshop.tree.write(path, File(b"pwned")),
    ):
        with pytest.raises(BadPath, match="link"):
            attempt()
    assert sorted(file.name for file in outside.iterdir()) == ["secret.txt"]
    assert (outside / "secret.txt").read_text() == "secret\n"
    assert workshop.text("real.txt") == "real\n"


def test_a_folder_or_a_pipe_is_no_file(workshop: Workshop) -> None:
    (workshop.root / "folder").mkdir()
    os.mkfifo(workshop.root / "pipe")
    assert workshop.refused("read", path="folder").code == "bad_path"
    assert workshop.refused("read", path="pipe").code == "bad_path"
    assert workshop.refused("create", path="folder", text="x").code == "bad_path"


def test_a_file_is_no_folder(workshop: Workshop) -> None:
    workshop.put("a.txt", "x\n")
    assert workshop.refused("create", path="a.txt/b.txt", text="x").code == "bad_path"


def test_a_hard_link_is_left_behind_and_not_written_through(workshop: Workshop, outside: Path) -> None:
    os.link(outside / "secret.txt", workshop.root / "a.txt")
    workshop.tree.write("a.txt", File(b"changed\n"))
    assert (outside / "secret.txt").read_text() == "secret\n"


def test_a_file_keeps_its_mode_and_a_moved_one_takes_it_along(workshop: Workshop) -> None:
    workshop.put("run.sh", "#!/bin/sh\necho one\n")
    (workshop.root / "run.sh").chmod(0o750)
    workshop.done("replace_text", path="run.sh", old="echo one", new="echo two")
    assert (workshop.root / "run.sh").stat().st_mode & 0o777 == 0o750
    workshop.done("move", path="run.sh", to="bin/run.sh")
    assert (workshop.root / "bin/run.sh").stat().st_mode & 0o100


def test_no_temporary_file_is_left(workshop: Workshop) -> None:
    workshop.done("create", path="deep/er/a.txt", text="x")
    assert sorted(workshop.snapshot()) == ["deep/er/a.txt"]


def test_folders_that_a_deleted_file_leaves_empty_go_too(workshop: Workshop) -> None:
    workshop.put("a/b/c.txt", "x\n")
    workshop.put("a/other.txt", "x\n")
    workshop.done("delete", path="a/b/c.txt")
    assert not (workshop.root / "a/b").exists()
    assert (workshop.root / "a").is_dir()


def test_files_leave_out_gits_own_links_and_caches(workshop: Workshop, outside: Path) -> None:
    for path in (".git/config", "node_modules/x/index.js", "src/__pycache__/a.pyc", "src/a.py", ".github/ci.yml"):
        workshop.put(path, "x\n")
    (workshop.root / "link.txt").symlink_to(outside / "secret.txt")
    (workshop.root / "folder").symlink_to(outside)
    assert workshop.tree.files() == [".github/ci.yml", "src/a.py"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a\0b", "binary"),
        ("häß\n".encode("latin-1"), "not UTF-8 (line 1)"),
        ("text\n".encode("utf-16"), "UTF-16"),
        (b"x" * 1_000_001, "1,000,000"),
    ],
)
def test_what_is_no_text_is_refused(workshop: Workshop, content: bytes, says: str) -> None:
    workshop.put("a.txt", content)
    assert says in workshop.refused("read", path="a.txt").text
    answer = workshop.refused("replace_text", path="a.txt", old="x", new="y")
    assert answer.code == "not_text"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\r\ntwo\r\nthree\r\n", "one\r\n2\r\nII\r\nthree\r\n"),
        ("one\rtwo\rthree\r", "one\r2\rII\rthree\r"),
        ("\ufeffone\ntwo\nthree\n", "\ufeffone\n2\nII\nthree\n"),
        ("one\ntwo\nthree", "one\n2\nII\nthree"),
        ("one\r\ntwo\nthree\r\n", "one\r\n2\r\nII\r\nthree\r\n"),
        ("one\ntwo\nthree\u2028four\n", None),
    ],
)
def test_line_endings_mark_and_final_newline_are_the_files_own(
    workshop: Workshop, before: str, after: str | None
) -> None:
    workshop.put("a.txt", before)
    if after is None:
        workshop.done("replace_text", path="a.txt", old="two", new="2")
        assert workshop.text("a.txt") == before.replace("two", "2")
        return
    workshop.done("replace_text", path="a.txt", old="one\ntwo\nthree", new="one\n2\nII\nthree")
    assert workshop.text("a.txt") == after


def test_a_file_without_final_newline_stays_so_when_its_last_line_goes(workshop: Workshop) -> None:
    workshop.put("a.txt", "one\ntwo")
    workshop.done("replace_text", path="a.txt", old="one\ntwo", new="one")
    assert workshop.text("a.txt") == "one"
    workshop.done("insert", path="a.txt", text="two", after="end")
    assert workshop.text("a.txt") == "one\ntwo"


def test_a_root_that_is_gone_is_an_error_and_not_an_empty_tree(tmp_path: Path) -> None:
    with pytest.raises((OSError, Refused)):
        Folder(tmp_path / "gone").write("a.txt", File(b"x"))
