"""What `make fast` runs: the tests that a change touches, nearest first."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scripts import touched

TREE = {
    "src/shop/__init__.py": "",
    "src/shop/prices.py": "PRICE = 1\n",
    "src/shop/orders.py": "from shop.prices import PRICE\n",
    "src/shop/letters.py": "",
    "docs/letters.md": "Dear customer\n",
    "tests/counter.py": "from shop import orders\n",
    "tests/unit/test_prices.py": "from shop import prices\n",
    "tests/integration/test_orders.py": "from shop import orders\n",
    "tests/integration/test_prices.py": "def test_it():\n    from shop import prices\n",
    "tests/integration/letters/conftest.py": "from shop import letters\n",
    "tests/integration/letters/test_letters.py": "",
    "tests/acceptance/test_counter.py": "import counter\n",
    "tests/acceptance/test_letters.py": "PAGE = 'docs/letters.md'\n",
    "web/e2e/test_pages.py": "",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for path, text in TREE.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message=all")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True)


def chosen(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    touched.main()
    return [line.split() for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        (
            "src/shop/prices.py",
            [
                "tests/integration/test_prices.py",
                "tests/integration/test_orders.py",
                "tests/acceptance/test_counter.py",
            ],
        ),
        ("src/shop/orders.py", ["tests/integration/test_orders.py", "tests/acceptance/test_counter.py"]),
        ("tests/counter.py", ["tests/acceptance/test_counter.py"]),
        ("src/shop/letters.py", ["tests/integration/letters/test_letters.py"]),
        ("docs/letters.md", ["tests/acceptance/test_letters.py"]),
        ("tests/integration/test_orders.py", ["tests/integration/test_orders.py"]),
        ("web/e2e/test_pages.py", ["web/e2e/test_pages.py"]),
    ],
)
def test_tests_that_reach_the_change_are_chosen_nearest_first(
    tree: Path, capsys: pytest.CaptureFixture[str], changed: str, tests: list[str]
) -> None:
    (tree / changed).write_text(TREE[changed] + "# changed\n")
    assert chosen(capsys) == [tests]


def test_what_is_committed_on_a_branch_and_what_is_new_count_and_browsers_are_apart(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    git(tree, "switch", "--quiet", "--create", "branch")
    (tree / "tests/counter.py").write_text("# changed\n")
    git(tree, "commit", "--quiet", "--all", "--message=counter")
    (tree / "web/e2e/test_new.py").write_text("")
    assert chosen(capsys) == [["tests/acceptance/test_counter.py"], ["web/e2e/test_new.py"]]


def test_more_than_there_is_time_for_is_left_and_said(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(20):
        (tree / f"tests/integration/test_{number}.py").write_text("")
    touched.main()
    said = capsys.readouterr()
    assert "they touch 20 test files; the nearest 9 run now" in said.err
    assert len(said.out.split()) == 9


def test_nothing_changed_touches_nothing(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert chosen(capsys) == []


def typed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    touched.main("types")
    return capsys.readouterr().out.split()


def test_types_are_checked_of_all_that_imports_what_differs(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "src/shop/prices.py").write_text("PRICE = 'one'\n")
    assert typed(capsys) == [
        "src/shop/orders.py",
        "src/shop/prices.py",
        "tests/acceptance/test_counter.py",
        "tests/counter.py",
        "tests/integration/test_orders.py",
        "tests/integration/test_prices.py",
        "tests/unit/test_prices.py",
    ]


@pytest.mark.parametrize("renamed", [False, True])
def test_types_of_everything_are_checked_where_a_module_is_gone(
    tree: Path, capsys: pytest.CaptureFixture[str], renamed: bool
) -> None:
    (tree / "tests/counter.py").rename(tree / "tests/till.py")
    if renamed:
        git(tree, "add", ".")
    else:
        (tree / "tests/till.py").unlink()
    assert typed(capsys) == []


def test_types_of_everything_are_checked_where_settings_or_packages_differ(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "requirements.lock").write_text("another==2\n")
    assert typed(capsys) == []


def test_a_change_without_modules_checks_no_type_of_theirs(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "docs/letters.md").write_text("Dear friend\n")
    assert typed(capsys) == [touched.__file__]
