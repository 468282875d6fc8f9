"""The unit and integration tests pass in the image: with its Python, its packages and its user, on a read-only root."""

from __future__ import annotations

import re
import subprocess

import pytest

from deploy.containers.daemon import Docker
from deploy.containers.test_image import SANDBOXED

# on two busy cores
pytestmark = pytest.mark.timeout(7200)
NODE = "the image has neither Node.js nor the web pages' packages"
TOOLS = "it wants pytest or ruff where a checkout's own environment has them"
SYNTAX = "tests/unit/changes/test_syntax.py::"
# what cannot pass inside, and why
NOT_INSIDE = {
    f"{SYNTAX}test_what_parses_is_written_and_what_does_not_is_refused[a.tsx]": NODE,
    f"{SYNTAX}test_typescript_is_judged_by_its_own_parser": NODE,
    f"{SYNTAX}test_typescripts_parser_is_loaded_once_for_many_edits": NODE,
    f"{SYNTAX}test_a_parser_that_crashes_refuses_and_is_replaced": NODE,
    f"{SYNTAX}test_a_parser_that_never_ends_refuses_and_is_gone": NODE,
    "tests/unit/changes/test_checks.py::test_ruff_as_it_is_here": TOOLS,
    "tests/integration/api/test_sso.py": NODE,
    "tests/integration/api/test_chat_contract.py": NODE,
    "tests/integration/changes/test_preparing.py::test_packages_of_node_are_installed_without_their_scripts": NODE,
    "tests/integration/changes/test_running.py::test_vitest_says_each_test_as_it_ends": NODE,
    "tests/integration/changes/test_running.py::test_checkers_find_what_is_wrong[eslint]": NODE,
    "tests/integration/changes/test_running.py::test_the_runner_of_node_itself_is_read_by_its_protocol": NODE,
    "tests/integration/codegraph/test_accuracy.py": NODE,
    "tests/integration/sandbox/test_surroundings.py::test_an_ordinary_user_has_the_same_sandbox": NODE,
    "tests/integration/stories_of_changes/test_typescript.py": NODE,
    "tests/integration/sandbox/test_places.py::test_a_real_suite_runs_over_its_tree": TOOLS,
}


# those that run what the image brings: its PostgreSQL, its sandbox, its programs
ROOMS = [f"tests/integration/{room}" for room in ("cli", "engine", "feed", "runs", "sandbox", "store")]
OTHERS = ["tests/integration", *(f"--ignore={room}" for room in ROOMS)]
SETS = [
    pytest.param(["tests/unit"], id="unit"),
    pytest.param(ROOMS, id="rooms"),
    pytest.param(OTHERS, id="others", marks=pytest.mark.soak),
]


@pytest.mark.parametrize("given", SETS)
def test_they_pass_inside(docker: Docker, tests_image: str, given: list[str]) -> None:
    closed = ["--read-only", "--tmpfs", "/tmp:exec,mode=1777", "--shm-size", "6g", "--cap-drop", "ALL"]
    closed += ["--security-opt", "no-new-privileges", *SANDBOXED]
    left_out = [word for name in NOT_INSIDE for word in ("--deselect", name)]
    pytest_ = ["python3", "-m", "pytest", "-n", "4", "-m", "not soak", "-p", "no:cacheprovider", *given, *left_out]
    words = ["docker", "run", "--rm", "--network", "host", *closed, tests_image, *pytest_]
    last = ""
    with subprocess.Popen(words, env=docker.environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        # as it comes: it takes long, and what failed is said there
        for line in process.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    assert process.returncode == 0, f"tests failed inside: {last}"
    assert re.match(r"\d+ passed", last), last
