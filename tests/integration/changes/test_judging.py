"""What a change did: both trees are run, what broke is run again, and what is known is not run at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from benches import tree

from handrail.changes.environments.instructions import Instructions
from handrail.changes.environments.layers import Layer
from handrail.changes.environments.sources import Sources
from handrail.changes.results.comparing import Verdict
from handrail.changes.running.choosing import Choice, choose
from handrail.changes.running.executing import Bench, Tree
from handrail.changes.running.hearing import Progress
from handrail.changes.running.judging import Judge, Judgement
from handrail.changes.running.keeping import Results
from handrail.changes.running.ordering import order
from handrail.changes.stages.check import failures, rehearsed
from handrail.changes.stages.verify import Trial, measured
from handrail.changes.verifying import change, coverage

PROJECT = "[tool.pytest.ini_options]\n"
TESTS = """
import cart
def test_adds(): assert cart.add(1, 1) == 2
def test_was_broken(): assert False
"""


class Shop:
    """A base and heads that differ from it, judged by a judge who remembers."""

    def __init__(self, root: Path, bench: Bench, layer: Layer) -> None:
        self.root, self.layer = root, layer
        self.runs: Counter[str] = Counter()
        # trees that can read which run they are in
        self.counting: tuple[Tree, ...] = ()
        self.files = {"pyproject.toml": PROJECT, "cart.py": "def add(a, b): return a + b\n", "test_cart.py": TESTS}
        self.base = tree(root / "base", self.files, layer)
        self.kept = Results(root / "kept")
        self.judge = Judge(bench, self.kept, self._tell)

    async def _tell(self, progress: Progress) -> None:
        if progress.kind == "began" and progress.tool == "pytest":
            self.runs[progress.side] += 1
            for given in self.counting:
                (given.path / "flag").write_text(f"{progress.side} {self.runs[progress.side]}")

    def head(self, name: str, **files: str) -> Tree:
        changed = {path.replace("_py", ".py"): text for path, text in files.items()}
        return tree(self.root / name, {**self.files, **changed}, self.layer)

    async def judged(self, name: str, **files: str) -> Judgement:
        head = self.head(name, **files)
        return await self.judge.judge(self.base, head, self.choice(head))

    def choice(self, given: Tree) -> Choice:
        return choose(Sources(given.path), Instructions())


@pytest.fixture
def shop(tmp_path: Path, bench: Bench, python: Layer) -> Shop:
    return Shop(tmp_path, bench, python)


async def test_a_change_that_breaks_nothing_passes_and_the_base_is_run_twice_once(shop: Shop) -> None:
    one = await shop.judged("one", cart_py="def add(a, b): return b + a\n")
    assert one.verdict is Verdict.passed
    assert one.tests[0].comparison.still_broken == ("test_cart::test_was_broken",)
    assert shop.runs == {"base": 2, "head": 1}
    other = await shop.judged("other", cart_py="def add(a, b): return a - b\n")
    assert other.verdict is Verdict.failed
    assert other.tests[0].comparison.broken == ("test_cart::test_adds",)
    # the baseline is known; what broke was run three times on both trees
    assert shop.runs == {"base": 2 + 3, "head": 1 + 1 + 3}
    assert other.as_data()["tests"][0]["verdict"] == "failed"


async def test_new_findings_fail_and_old_ones_do_not(shop: Shop) -> None:
    shop.files |= {"ruff.toml": "lint.select = ['F']\n", "old.py": "import os\n"}
    base = tree(shop.root / "linted", shop.files, shop.layer)
    head = shop.head("head", cart_py="import sys\ndef add(a, b): return a + b\n", old_py="\n\nimport os\n")
    found = await shop.judge.judge(base, head, Choice((), shop.choice(base).checks))
    assert [(each.rule, each.path) for each in found.checks[0].new] == [("F401", "cart.py")]
    assert found.verdict is Verdict.failed


async def test_a_test_that_fails_once_of_four_times_is_marked_and_not_called_broken(shop: Shop) -> None:
    shop.files |= {"flag": "", "test_cart.py": "def test_flag(): assert open('flag').read() != 'head 1'\n"}
    shop.base = tree(shop.root / "flagged", shop.files, shop.layer)
    shop.counting = (shop.base, shop.head("head"))
    found = await shop.judge.judge(*shop.counting, Choice(shop.choice(shop.base).tests, ()))
    (flaky,) = found.tests[0].comparison.flaky
    assert (flaky.id, flaky.base, flaky.head) == ("test_cart::test_flag", (0, 5), (1, 4))
    assert found.verdict is Verdict.unsure


async def test_a_suite_that_crashes_on_the_head_fails(shop: Shop) -> None:
    found = await shop.judged("head", cart_py="import os\nos._exit(0)\n")
    assert found.verdict is Verdict.failed
    assert "no report" in found.tests[0].comparison.fault


async def test_the_first_tests_of_a_repository_are_compared_with_none(shop: Shop) -> None:
    base = tree(shop.root / "bare", {"cart.py": "def add(a, b): return a + b\n"}, shop.layer)
    head = shop.head("head", test_cart_py="import cart\ndef test_adds(): assert cart.add(1, 1) == 2\n")
    found = await shop.judge.judge(base, head, Choice(shop.choice(head).tests, ()))
    assert found.verdict is Verdict.passed
    assert found.tests[0].comparison.added == ("test_cart::test_adds",)


async def test_without_any_test_nobody_can_be_sure(shop: Shop) -> None:
    assert (await shop.judge.judge(shop.base, shop.base, Choice((), ()))).verdict is Verdict.unsure


async def test_what_most_likely_breaks_is_rehearsed_first(shop: Shop) -> None:
    slow = "import time\ndef test_slow(): time.sleep(60)\n"
    head = shop.head("head", cart_py="def add(a, b): return 0\n", test_slow_py=slow)
    stages = order(["test_cart.py"], {"test_slow.py": 1})
    found = await shop.judge.rehearse(
        shop.base, head, shop.choice(head), stages, frozenset({"test_cart::test_was_broken"})
    )
    assert found
    assert found[0].reason == "plan"
    assert [test.id for test in found[1][0].broken] == ["test_cart::test_adds"]
    # the same for the editor: what the base had already is not its fault, and a quick suite is its own first answer
    trial = Trial(shop.judge, shop.choice(shop.base), shop.base, head)
    told = await rehearsed(trial, stages, quick=0)
    assert told and [*told["tests"][0]["messages"]] == ["test_cart::test_adds"]
    assert failures({"request": "", "repo_url": "", "results": told}).startswith(
        "pytest: tests fail that are run first"
    )
    assert await rehearsed(trial, stages) is None


async def test_a_test_that_fails_in_rehearsal_and_passes_again_is_left_to_the_whole_suite(shop: Shop) -> None:
    flag = "def test_flag(): assert open('flag').read() != 'head 1'\n"
    head = shop.head("head", flag="", test_cart_py=flag)
    shop.counting = (head,)
    assert await shop.judge.rehearse(shop.base, head, shop.choice(head), order(["test_cart.py"], {})) is None
    assert shop.runs == {"head": 2}


async def test_a_test_that_passes_only_after_others_is_left_to_the_whole_suite(shop: Shop) -> None:
    shop.files["test_after.py"] = "import sys\ndef test_after(): assert 'test_cart' in sys.modules\n"
    shop.base = tree(shop.root / "with", shop.files, shop.layer)
    head = shop.head("head", cart_py="def add(a, b): return b + a\n")
    assert await shop.judge.rehearse(shop.base, head, shop.choice(head), order(["test_after.py"], {})) is None
    assert shop.runs == {"head": 2, "base": 1}


SIGNED = "def add(a, b):\n    if a < 0:\n        return 0\n    return a + b\n"


async def test_changed_lines_that_no_test_runs_are_known_where_the_repository_measures(shop: Shop) -> None:
    head = shop.head("head", cart_py=SIGNED)
    trial = Trial(shop.judge, shop.choice(shop.base), shop.base, head)
    judged = await shop.judge.judge(shop.base, head, trial.choice)
    made = change.read(shop.base.path, head.path, ["cart.py"])
    lines = await measured(trial, made, judged)
    assert lines is not None and lines.of("cart.py") == {1: True, 2: True, 3: False, 4: True}
    found = coverage.check(made, lines, 0.8)
    assert (found.verdict, found.words) == (
        "failed",
        "75% of 4 changed lines that can be run were run; 80% are needed.",
    )
    # where tests fail, nobody asks for more
    broken = shop.head("broken", cart_py=SIGNED.replace("a + b", "a - b"))
    judged = await shop.judge.judge(shop.base, broken, trial.choice)
    assert await measured(replace(trial, head=broken), made, judged) is None


async def test_a_repository_that_cannot_measure_is_not_asked_for_more(shop: Shop) -> None:
    """The sandbox has no coverage.py of its own, and the run ends before the first test."""
    files = {
        "cart.py": SIGNED,
        "test_cart.py": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): ...\n",
    }
    bare, head = tree(shop.root / "bare", {**files, "cart.py": ""}), tree(shop.root / "head", files)
    trial = Trial(shop.judge, choose(Sources(head.path), Instructions()), bare, head)
    made = change.read(bare.path, head.path, ["cart.py"])
    assert await measured(trial, made, Judgement((), ())) is None


async def test_results_that_are_damaged_or_old_are_made_again(shop: Shop) -> None:
    head = shop.head("head")
    choice = Choice(shop.choice(head).tests, ())
    await shop.judge.baseline(shop.base, choice)
    assert shop.runs == {"base": 2}
    for file in (shop.root / "kept").iterdir():
        file.write_text('{"report": {"tool": "pytest"')
    await shop.judge.baseline(shop.base, choice)
    assert shop.runs == {"base": 4}
    await shop.judge.baseline(shop.base, choice)
    assert shop.runs == {"base": 4}
    assert shop.kept.sweep(-1) == 2
