"""`.handrail/change.toml`: strict, bounded, and wrong lines are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import repository

from handrail.changes.environments import instructions
from handrail.changes.environments.deciding import decide
from handrail.changes.environments.errors import BadInstructions
from handrail.changes.environments.instructions import PATH, Instructions
from handrail.changes.environments.model import Command
from handrail.changes.running.choosing import choose, whole

GOOD = """
[[setup]]
commands = [["make", "deps"]]
files = ["Makefile"]
hosts = ["pypi.org"]

[[test]]
tool = "pytest"
command = ["python3", "-m", "pytest", "tests/unit"]
timeout = 120

[[test]]
tool = "junit"
folder = "web"
shell = "make test > /out/log"
reports = ["reports/*.xml"]

[[lint]]
tool = "ruff"
command = ["ruff", "check", "src"]
"""


def read(root: Path, text: str | bytes) -> Instructions:
    return instructions.read(repository(root, {PATH: text, "Makefile": "deps:\n"}))


def refused(root: Path, text: str | bytes) -> str:
    with pytest.raises(BadInstructions) as caught:
        read(root, text)
    return caught.value.message


def test_a_repository_without_instructions_has_none(tmp_path: Path) -> None:
    assert instructions.read(repository(tmp_path, {})).is_empty


def test_they_replace_what_would_be_detected(tmp_path: Path) -> None:
    sources = repository(
        tmp_path, {PATH: GOOD, "Makefile": "deps:\n", "package.json": "{}", "test_a.py": "import pytest"}
    )
    said = instructions.read(sources)
    (environment,) = decide(sources, said).environments
    assert environment.commands == (Command(("make", "deps")),)
    assert environment.files == {"Makefile": b"deps:\n"}
    assert environment.runs_code
    choice = choose(sources, said)
    assert [call.tool for call in choice.tests] == ["pytest", "junit"]
    assert [call.tool for call in choice.checks] == ["ruff"]


def test_a_shell_runs_only_where_they_say_so_and_it_is_shown(tmp_path: Path) -> None:
    one, other = read(tmp_path, GOOD).tests
    assert one.command.as_data() == {"arguments": ["python3", "-m", "pytest", "tests/unit"], "shell": False}
    assert other.command.as_data() == {"arguments": ["sh", "-c", "make test > /out/log"], "shell": True}


def test_what_makes_results_readable_is_added_to_commands_but_not_to_shell_lines(tmp_path: Path) -> None:
    sources = repository(tmp_path, {PATH: GOOD})
    one, other = choose(sources, instructions.read(sources)).tests
    assert "--junitxml=/out/pytest.xml" in whole(one).command.arguments
    assert whole(other).command == other.command


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[[test]]\ntool = 'pytest'\ncommand = 'pytest'\n", 3, "list"),
        ("[[test]]\ntool = 'pytest'\n", 1, "either `command`"),
        ("[[test]]\ntool = 'pytest'\ncommand = ['a']\nshell = 'a'\n", 1, "either `command`"),
        ("\n[[test]]\ntool = 'nose'\ncommand = ['nosetests']\n", 3, "Choose one of: cargo test"),
        ("[[test]]\ntool='pytest'\ncommand=['a']\n[[test]]\ntool='pytest'\ncommand=['a']\nroot = 1\n", 7, "root"),
        ("[[test]]\ntool = 'pytest'\ncommand = []\n", 3, "at least 1"),
        ("[[test]]\ntool = 'pytest'\ncommand = ['a']\nfolder = '../..'\n", 4, "not a path in the repository"),
        ("[[test]]\ntool = 'pytest'\ncommand = ['a']\nfolder = '/etc'\n", 4, "not a path in the repository"),
        ("[[test]]\ntool = 'pytest'\ncommand = ['a']\ntimeout = 86400\n", 4, "3600"),
        ("[[setup]]\ncommands = [['a']]\nhosts = ['http://x/']\n", 3, "pattern"),
        ("[[setup]]\ncommands = ['npm ci']\n", 2, "list"),
        ("secrets = 'all'\n", 1, "secrets"),
        ("[[lint]]\ntool = 'ruff'\ncommand = ['a'\n\n[[x]]", 5, "line 5"),
    ],
)
def test_a_mistake_is_refused_with_its_line(tmp_path: Path, text: str, line: int, said: str) -> None:
    message = refused(tmp_path, text)
    assert f"line {line}" in message
    assert said in message


def test_too_large_a_file_and_one_that_is_no_text_are_refused(tmp_path: Path) -> None:
    assert "64 KiB" in refused(tmp_path / "a", "# " + "x" * 70_000)
    assert "not TOML" in refused(tmp_path / "b", b"\xff\xfe")
    assert "not TOML" in refused(tmp_path / "c", "a = " + "[" * 20_000)


def test_a_link_instead_of_the_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".handrail").mkdir()
    (tmp_path / "elsewhere").write_text(GOOD)
    (tmp_path / PATH).symlink_to(tmp_path / "elsewhere")
    assert instructions.read(repository(tmp_path, {})).is_empty
