"""Which files an index reads, and what it says about the others."""

import os
from pathlib import Path

import pytest

from handrail.codegraph.errors import NotADirectory
from handrail.codegraph.walk import Limits, Tree, walk


def put(root: Path, files: dict[str, str | bytes]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


def reasons(tree: Tree) -> dict[str, str]:
    return {skipped.path: skipped.reason for skipped in tree.skipped}


def paths(tree: Tree) -> list[str]:
    return [found.path for found in tree.files]


def test_finds_sources_and_manifests_relative_to_the_root(tmp_path: Path) -> None:
    put(tmp_path, {"app/main.py": "x = 1", "pyproject.toml": "", "notes.txt": "no source"})
    tree = walk(tmp_path)
    assert (paths(tree), tree.manifests, tree.skipped) == (["app/main.py"], ["pyproject.toml"], [])


def test_generated_and_vendored_folders_are_left_out(tmp_path: Path) -> None:
    folders = ["node_modules", ".git", "__pycache__", "vendor", "x.egg-info"]
    put(tmp_path, {f"{folder}/a.py": "" for folder in folders})
    tree = walk(tmp_path)
    assert paths(tree) == []
    assert set(reasons(tree)) == {f"{folder}/" for folder in folders}


def test_a_build_folder_is_output_only_beside_a_manifest(tmp_path: Path) -> None:
    put(tmp_path, {"tool/build/rules.py": "", "lib/package.json": "{}", "lib/build/a.py": ""})
    tree = walk(tmp_path)
    assert paths(tree) == ["tool/build/rules.py"]
    assert reasons(tree) == {"lib/build/": "generated folder"}


def test_a_vendor_folder_that_is_a_python_package_is_read(tmp_path: Path) -> None:
    put(tmp_path, {"pkg/vendor/__init__.py": "", "pkg/vendor/six.py": ""})
    assert paths(walk(tmp_path)) == ["pkg/vendor/__init__.py", "pkg/vendor/six.py"]


def test_virtual_environments_are_left_out_under_any_name(tmp_path: Path) -> None:
    put(tmp_path, {"env311/pyvenv.cfg": "", "env311/lib/a.py": ""})
    assert reasons(walk(tmp_path)) == {"env311/": "generated folder"}


def test_the_nearest_gitignore_decides(tmp_path: Path) -> None:
    files = {".gitignore": "*.gen.py\n/out/\n", "a.gen.py": "", "out/b.py": "", "sub/.gitignore": "!keep.gen.py\n"}
    put(tmp_path, {**files, "sub/keep.gen.py": "", "sub/drop.gen.py": ""})
    tree = walk(tmp_path)
    assert paths(tree) == ["sub/keep.gen.py"]
    assert reasons(tree) == {"a.gen.py": ".gitignore", "out/": ".gitignore", "sub/drop.gen.py": ".gitignore"}


def test_symbolic_links_are_never_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    root = tmp_path / "root"
    put(outside, {"secret.py": ""})
    put(root, {"a.py": ""})
    (root / "loop").symlink_to(root)
    (root / "away").symlink_to(outside)
    (root / "b.py").symlink_to(root / "a.py")
    tree = walk(root)
    assert paths(tree) == ["a.py"]
    assert reasons(tree) == {"loop/": "symbolic link", "away/": "symbolic link", "b.py": "symbolic link"}


def test_large_minified_and_special_files_are_named_with_their_reason(tmp_path: Path) -> None:
    put(tmp_path, {"big.py": "#" * 2001, "lib.min.py": ""})
    os.mkfifo(tmp_path / "pipe.py")
    assert reasons(walk(tmp_path, Limits(max_bytes=2000))) == {
        "big.py": "larger than 2000 bytes (2001)",
        "lib.min.py": "minified",
        "pipe.py": "not a regular file",
    }


def test_names_that_are_not_utf8_are_left_out(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"bad\xff.py")).write_text("")
    assert [skipped.reason for skipped in walk(tmp_path).skipped] == ["its name is not UTF-8"]


def test_files_over_the_limit_are_counted_out(tmp_path: Path) -> None:
    put(tmp_path, {f"m{n}.py": "" for n in range(5)})
    tree = walk(tmp_path, Limits(max_files=3))
    assert len(tree.files) == 3
    assert [skipped.reason for skipped in tree.skipped] == ["over the limit of 3 files"] * 2


def test_a_root_that_is_no_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotADirectory, match="give the folder"):
        walk(tmp_path / "nowhere")


def test_an_empty_repository_is_an_empty_tree(tmp_path: Path) -> None:
    assert walk(tmp_path) == Tree()


def test_files_of_languages_without_a_reader_are_named(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "a.rb": "",
            "web/b.vue": "",
            "c.go": "",
            "notes.txt": "",
            "out/d.php": "",
            ".gitignore": "out/\n*.kt\n",
            "e.kt": "",
        },
    )
    tree = walk(tmp_path)
    assert paths(tree) == ["c.go"]
    assert reasons(tree) == {"a.rb": "Ruby is not read", "web/b.vue": "Vue is not read", "out/": ".gitignore"}
