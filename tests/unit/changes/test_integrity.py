"""Test integrity: a change that weakens its own proof is found, and one that only adds to it is not."""

from pathlib import Path

import pytest
from changes_pairs import ANYWHERE, NOWHERE, Files, change, rules

from handrail.changes.verifying.integrity import check as integrity
from handrail.changes.verifying.model import Check, Verdict
from handrail.changes.verifying.scope import Scope

PYTHON = """
    import pytest

    @pytest.mark.parametrize("n", [1, 2, 3])
    def test_doubles(n):
        assert double(n) == 2 * n

    class TestCart:
        def test_total(self):
            cart = Cart()
            cart.add(3)
            assert cart.total() == 3
            with pytest.raises(ValueError):
                cart.add(-1)
"""
SCRIPT = """
    describe('cart', () => {
      it('adds', () => {
        const cart = new Cart();
        expect(cart.total()).toBe(3);
        expect(cart.items).toHaveLength(1);
      });
      it.each([[1, 2], [2, 4]])('doubles %i', (n, twice) => {
        expect(double(n)).toBe(twice);
      });
    });
"""


def checked(root: Path, base: Files, head: Files, scope: Scope = ANYWHERE, *moved: tuple[str, str]) -> Check:
    return integrity.check(change(root, base, head, *moved), scope)


def edited(root: Path, path: str, text: str, old: str, new: str, scope: Scope = ANYWHERE) -> Check:
    assert old in text
    return checked(root, {path: text}, {path: text.replace(old, new)}, scope)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("assert cart.total() == 3", "assert cart.total() == 4", "assertion_changed"),
        ("            assert cart.total() == 3\n", "", "assertion_removed"),
        ("assert cart.total() == 3", "assert True", "assertion_removed"),
        ("assert cart.total() == 3", "assert cart.total() == 3 or True", "assertion_removed"),
        ("assert cart.total() == 3", "assert (cart.total() == 3, 'right')", "assertion_removed"),
        ("cart.add(3)", "cart.add(3)\n            return", "assertion_removed"),
        ("assert cart.total() == 3", "if False:\n                assert cart.total() == 3", "assertion_removed"),
        (
            "assert cart.total() == 3",
            "try:\n                assert cart.total() == 3\n            except AssertionError:\n                pass",
            "assertion_removed",
        ),
        ("pytest.raises(ValueError)", "pytest.raises(Exception)", "assertion_changed"),
        ("class TestCart", "@pytest.mark.skip\n    class TestCart", "skip_added"),
        ("def test_total", "@pytest.mark.xfail(reason='later')\n        def test_total", "skip_added"),
        ("cart = Cart()", "pytest.skip('later')\n            cart = Cart()", "skip_added"),
        ("import pytest\n", "import pytest\n    pytestmark = pytest.mark.skipif(True, reason='')\n", "skip_added"),
        ("class TestCart:", "class TestCart:\n        __test__ = False", "skip_added"),
        ("[1, 2, 3]", "[1, 2]", "case_removed"),
        ("def test_total", "def total", "test_removed"),
        ("class TestCart", "class Cart", "test_removed"),
        ("class TestCart", "test_doubles = None\n\n    class TestCart", "skip_added"),
        ("class TestCart", "del test_doubles\n\n    class TestCart", "skip_added"),
    ],
)
def test_weaker_python_tests_fail(tmp_path: Path, old: str, new: str, rule: str) -> None:
    found = edited(tmp_path, "tests/test_cart.py", PYTHON, old, new)
    assert found.verdict is Verdict.failed
    assert rule in rules(found)


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("toBe(3)", "toBe(4)", "assertion_changed"),
        ("        expect(cart.items).toHaveLength(1);\n", "", "assertion_removed"),
        ("expect(cart.items).toHaveLength(1);", "expect(true).toBe(true);", "assertion_removed"),
        ("expect(cart.items)", "if (false) expect(cart.items)", "assertion_removed"),
        ("expect(cart.items).toHaveLength(1);", "try { expect(cart.items).toHaveLength(1); } catch {}",
         "assertion_removed"),
        ("it('adds'", "it.skip('adds'", "skip_added"),
        ("it('adds'", "xit('adds'", "skip_added"),
        ("it('adds', ", "it('adds', {skip: true}, ", "skip_added"),
        ("it('adds'", "it.only('adds'", "only_added"),
        ("describe('cart'", "describe.skip('cart'", "skip_added"),
        ("[[1, 2], [2, 4]]", "[[1, 2]]", "case_removed"),
        ("it('adds'", "notATest('adds'", "test_removed"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["src/cart.test.ts", "test/cart.js"])
def test_weaker_javascript_tests_fail(tmp_path: Path, path: str, old: str, new: str, rule: str) -> None:
    found = edited(tmp_path, path, SCRIPT, old, new)
    assert found.verdict is Verdict.failed
    assert rule in rules(found)


OTHERS = {
    "src/test/java/CartTest.java": """
        class CartTest {
            @Test void adds() { assertEquals(3, cart.total()); assertThat(cart.items()).hasSize(1); }
        }
    """,
    "Shop.Tests/CartTests.cs": """
        class CartTests {
            [Fact] public void Adds() { Assert.Equal(3, cart.Total()); cart.Items.Should().HaveCount(1); }
        }
    """,
    "cart_test.go": """
        package cart
        func TestAdds(t *testing.T) {
            if got := total(); got != 3 { t.Errorf("got %d", got) }
        }
    """,
    "src/cart.rs": """
        pub fn total() -> i32 { 3 }
        #[cfg(test)]
        mod tests {
            #[test]
            fn adds() { assert_eq!(total(), 3); }
        }
    """,
}


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        ("src/test/java/CartTest.java", "@Test", "@Disabled @Test", "skip_added"),
        ("src/test/java/CartTest.java", "assertEquals(3", "assertEquals(4", "assertion_changed"),
        ("src/test/java/CartTest.java", "assertThat(cart.items()).hasSize(1);", "", "assertion_removed"),
        ("src/test/java/CartTest.java", "@Test", "", "test_removed"),
        ("src/test/java/CartTest.java", "assertEquals(3", "assumeTrue(false); assertEquals(3", "skip_added"),
        ("Shop.Tests/CartTests.cs", "[Fact]", '[Fact(Skip = "later")]', "skip_added"),
        ("Shop.Tests/CartTests.cs", "HaveCount(1)", "HaveCount(2)", "assertion_changed"),
        ("Shop.Tests/CartTests.cs", "Assert.Equal(3, cart.Total());", "", "assertion_removed"),
        ("cart_test.go", "got != 3", "got != 4", "assertion_changed"),
        ("cart_test.go", "if got", "t.Skip(); if got", "skip_added"),
        ("cart_test.go", "TestAdds", "testAdds", "test_removed"),
        ("cart_test.go", "package cart", "//go:build never\n\n        package cart", "skip_added"),
        ("src/cart.rs", "#[test]", "#[test] #[ignore]", "skip_added"),
        ("src/cart.rs", "(total(), 3)", "(total(), 4)", "assertion_changed"),
        ("src/cart.rs", "#[test]", "", "test_removed"),
    ],
)
def test_weaker_tests_of_other_languages_fail(tmp_path: Path, path: str, old: str, new: str, rule: str) -> None:
    found = edited(tmp_path, path, OTHERS[path], old, new)
    assert rule in rules(found)
    assert found.verdict is Verdict.failed


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/test_cart.py", "assert cart.total() == 3", "assert cart.total() == 3\n            assert cart.items"),
        ("tests/test_cart.py", "assert cart.total() == 3", "assert cart.total()  ==  3  # cents"),
        (
            "tests/test_cart.py",
            "    class TestCart:",
            "    def test_new():\n        assert new()\n\n    class TestCart:",
        ),
        ("tests/test_cart.py", "[1, 2, 3]", "[1, 2, 3, 4]"),
        ("tests/test_cart.py", "def test_doubles", "def test_doubles_numbers"),
    ],
)
def test_more_or_tidier_tests_pass_or_are_only_shown(tmp_path: Path, path: str, old: str, new: str) -> None:
    assert edited(tmp_path, path, PYTHON, old, new).verdict is not Verdict.failed


def test_code_outside_of_tests_is_no_matter_of_integrity(tmp_path: Path) -> None:
    code = OTHERS["src/cart.rs"]
    assert edited(tmp_path, "src/cart.rs", code, "-> i32 { 3 }", "-> i32 { assert!(true); 1 + 2 }").findings == ()
    assert checked(tmp_path, {"shop/cart.py": "assert x == 1\n"}, {"shop/cart.py": "y = 2\n"}).findings == ()


def test_a_test_that_moved_to_another_file_is_not_removed(tmp_path: Path) -> None:
    text = "def test_a():\n    assert a() == 1\n"
    found = checked(tmp_path, {"tests/test_a.py": text}, {"tests/test_b.py": "import a\n\n\n" + text})
    assert found.verdict is Verdict.passed


def test_a_test_that_moved_and_lost_its_assertion_is_removed(tmp_path: Path) -> None:
    base: Files = {"tests/test_a.py": "def test_a():\n    assert a() == 1\n"}
    assert rules(checked(tmp_path, base, {"tests/test_b.py": "def test_a():\n    a()\n"})) == ["test_removed"]


def test_a_test_file_renamed_into_no_test_loses_its_tests(tmp_path: Path) -> None:
    text = "def test_a():\n    assert a() == 1\n"
    pair = ("tests/test_a.py", "shop/a_checks.py")
    found = checked(tmp_path, {pair[0]: text}, {pair[1]: text}, ANYWHERE, pair)
    assert found.verdict is Verdict.failed
    assert [(finding.rule, finding.path) for finding in found.findings] == [("test_removed", "tests/test_a.py")]


def test_other_steps_under_the_same_assertions_are_for_a_person(tmp_path: Path) -> None:
    found = edited(tmp_path, "tests/test_cart.py", PYTHON, "cart.add(3)", "cart.add(1, 2)")
    assert (found.verdict, rules(found)) == (Verdict.unsure, ["test_changed"])


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("tests/test_a.py", "def cart():\n    return Cart()\n", "def cart():\n    return Fake()\n"),
        ("tests/test_a.py", "import shop\n", "import shop\nshop.total = lambda: 3\n"),
        ("src/a.test.ts", "function cart() { return new Cart(); }\n", "function cart() { return fake; }\n"),
        ("a_test.go", "package a\nfunc cart() { New() }\n", "package a\nfunc cart() { Fake() }\n"),
    ],
)
def test_what_tests_are_built_on_is_for_a_person(tmp_path: Path, path: str, before: str, after: str) -> None:
    found = checked(tmp_path, {path: before}, {path: after})
    assert (found.verdict, rules(found)) == (Verdict.unsure, ["test_support_changed"])


def test_a_new_test_in_a_group_changes_no_other(tmp_path: Path) -> None:
    more = SCRIPT.replace("it('adds'", "it('is new', () => { expect(x).toBe(1); });\n      it('adds'")
    assert checked(tmp_path, {"src/a.test.ts": SCRIPT}, {"src/a.test.ts": more}).findings == ()


def test_new_imports_and_helpers_of_tests_pass(tmp_path: Path) -> None:
    more = "import os\n\n\ndef helper():\n    return 1\n\n\ndef test_a():\n    assert a()\n"
    assert (
        checked(tmp_path, {"tests/test_a.py": "def test_a():\n    assert a()\n"}, {"tests/test_a.py": more}).findings
        == ()
    )


def test_weaker_tests_that_the_plan_announces_are_for_a_person(tmp_path: Path) -> None:
    announced = Scope(lambda _: True, weakens=lambda path: path == "tests/test_cart.py")
    found = edited(tmp_path, "tests/test_cart.py", PYTHON, "== 3", "== 4", announced)
    assert (found.verdict, rules(found)) == (Verdict.unsure, ["assertion_changed"])


def test_a_test_file_that_cannot_be_parsed_fails(tmp_path: Path) -> None:
    found = checked(tmp_path, {"tests/test_a.py": "def test_a(): assert a()\n"}, {"tests/test_a.py": "def test_a(:\n"})
    assert (found.verdict, rules(found)) == (Verdict.failed, ["unreadable_test"])


def test_a_finding_says_where_and_what(tmp_path: Path) -> None:
    found = edited(tmp_path, "tests/test_cart.py", PYTHON, "cart.total() == 3", "cart.total() == 4").findings[0]
    assert (found.path, found.line) == ("tests/test_cart.py", 12)
    assert found.what == "In `TestCart.test_total`, `cart.total() == 3` is now `cart.total() == 4`."


@pytest.mark.parametrize(
    ("path", "before", "after", "rule"),
    [
        (".github/workflows/ci.yml", "on: push\n", "on: never\n", "ci_changed"),
        (".gitlab-ci.yml", "test: {}\n", "", "ci_changed"),
        ("pytest.ini", "[pytest]\n", "[pytest]\naddopts = --deselect tests/test_a.py\n", "test_settings_changed"),
        ("jest.config.ts", "export default {}\n", "export default {passWithNoTests: true}\n", "test_settings_changed"),
        (".coveragerc", "[run]\n", "[run]\nomit = shop/*\n", "test_settings_changed"),
        ("tests/conftest.py", "import os\n", "import os, sys\n", "conftest_changed"),
        ("src/__snapshots__/cart.test.ts.snap", "exports[`a`] = `1`;\n", "exports[`a`] = `2`;\n", "snapshot_changed"),
        ("pyproject.toml", "[tool.pytest.ini_options]\n", "[tool.pytest.ini_options]\naddopts='-k x'\n",
         "test_settings_changed"),
        ("package.json", '{"scripts": {"test": "jest"}}', '{"scripts": {"test": "true"}}', "test_settings_changed"),
        ("setup.cfg", "[tool:pytest]\n", "[tool:pytest]\naddopts=-x\n", "test_settings_changed"),
        ("pom.xml", "<p></p>\n", "<p>\n<skipTests>true</skipTests></p>\n", "test_settings_changed"),
        ("tsconfig.json", "{}", '{"compilerOptions": {"strict": false}}', "check_settings_changed"),
        ("CODEOWNERS", "* @team\n", "* @me\n", "review_rules_changed"),
        (".gitattributes", "* text\n", "*.py -diff\n", "review_rules_changed"),
    ],
)  # fmt: skip
def test_what_chooses_and_judges_tests_needs_the_plan(
    tmp_path: Path, path: str, before: str, after: str, rule: str
) -> None:
    outside = checked(tmp_path, {path: before}, {path: after}, NOWHERE)
    assert (outside.verdict, rules(outside)) == (Verdict.failed, [rule])
    assert checked(tmp_path, {path: before}, {path: after}).verdict is Verdict.unsure


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("pyproject.toml", "[project]\nname='a'\n[tool.pytest]\n", "[project]\nname='b'\n[tool.pytest]\n"),
        ("package.json", '{"version": "1"}', '{"version": "2", "dependencies": {"a": "1"}}'),
        ("pom.xml", "<version>1</version>", "<version>2</version>"),
        ("docs/guide.md", "a\n", "b\n"),
    ],
)
def test_other_parts_of_shared_files_are_no_matter_of_integrity(
    tmp_path: Path, path: str, before: str, after: str
) -> None:
    assert checked(tmp_path, {path: before}, {path: after}, NOWHERE).verdict is Verdict.passed


def test_a_new_snapshot_of_a_new_test_passes(tmp_path: Path) -> None:
    assert checked(tmp_path, {}, {"src/__snapshots__/new.test.ts.snap": "exports[`a`] = `1`;\n"}).findings == ()


@pytest.mark.parametrize(
    ("path", "line"),
    [("shop/a.py", "x = f()  # type: ignore"), ("src/a.ts", "// eslint-disable-next-line"), ("a.go", "f() //nolint")],
)
def test_an_added_comment_that_silences_a_check_is_for_a_person(tmp_path: Path, path: str, line: str) -> None:
    found = checked(tmp_path, {path: "x\n"}, {path: f"x\n{line}\n"})
    assert (found.verdict, rules(found), found.findings[0].line) == (Verdict.unsure, ["suppression_added"], 2)
    assert checked(tmp_path, {path: f"{line}\n"}, {path: f"y\n{line}\n"}).findings == ()
