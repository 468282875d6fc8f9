"""What a path is to the tests of a repository."""

from __future__ import annotations

import re

from handrail.codegraph.tags import tags_of

_CODE = re.compile(r"\.([cm]?[jt]sx?|pyi?|java|kt|cs|go|rs|c|cc|cpp|cxx|h|hpp|rb|php|swift)$", re.IGNORECASE)
_SNAPSHOT = re.compile(
    r"(^|/)(__snapshots__|__image_snapshots__|snapshots|goldens?)/|\.(snap|ambr|golden)$|\.(approved|verified)\.\w+$"
)
_CI = re.compile(
    r"^\.(github|gitea|forgejo)/(workflows|actions)/|^\.circleci/|^\.buildkite/|^\.woodpecker(/|\.ya?ml$)"
    r"|(^|/)(\.gitlab-ci[^/]*\.ya?ml|\.travis\.yml|\.drone\.yml|azure-pipelines[^/]*\.ya?ml|bitbucket-pipelines\.yml"
    r"|Jenkinsfile[^/]*|appveyor\.yml|\.cirrus\.yml|cloudbuild\.ya?ml)$|^\.gitlab/ci/|^\.azure-pipelines/"
)
_TEST_SETTINGS = re.compile(
    r"(^|/)(pytest\.ini|\.pytest\.ini|pytest\.toml|tox\.(ini|toml)|\.coveragerc|noxfile\.py|\.?codecov\.ya?ml"
    r"|(jest|vitest|vitest\.workspace|playwright|cypress|karma|ava|wdio)\.(config|conf|workspace)\.[\w.]+"
    r"|(jest|vitest)[.-]setup\.[\w.]+|vitest\.workspace\.\w+|\.mocharc(\.\w+)?|\.nycrc(\.\w+)?|\.c8rc(\.\w+)?"
    r"|sitecustomize\.py|usercustomize\.py|nextest\.toml|tarpaulin\.toml|coverlet\.runsettings|[^/]+\.runsettings)$"
)
_CHECK_SETTINGS = re.compile(
    r"(^|/)(\.eslintrc[^/]*|\.eslintignore|eslint\.config\.\w+|biome\.jsonc?|\.?ruff\.toml|\.flake8|\.pylintrc|pylintrc"
    r"|\.?mypy\.ini|pyrightconfig\.json|tsconfig[^/]*\.json|\.golangci\.\w+|\.?clippy\.toml|\.bandit|\.semgrepignore"
    r"|\.secrets\.baseline|\.pre-commit-config\.yaml|sonar-project\.properties|\.editorconfig|\.gitleaks\.toml"
    r"|\.handrail/[^/]+|checkstyle[^/]*\.xml|spotbugs[^/]*\.xml)$"
)
_REVIEW_RULES = re.compile(r"(^|/)(CODEOWNERS|\.gitattributes|\.gitmodules)$|^\.github/(dependabot|settings)\.ya?ml$")


def is_test(path: str) -> bool:
    return "test" in tags_of(path, ())


def is_test_data(path: str) -> bool:
    """A file below a folder of tests that is no code."""
    return is_test(f"{path.rpartition('/')[0]}/x.py".lstrip("/")) and not _CODE.search(path)


def is_conftest(path: str) -> bool:
    return path.rpartition("/")[2] == "conftest.py"


def is_snapshot(path: str) -> bool:
    return _SNAPSHOT.search(path) is not None


def special(path: str) -> tuple[str, str, str] | None:
    """(rule, what the file is, why it matters) for a file that chooses what is run, or judges it."""
    if _CI.search(path):
        return (
            "ci_changed",
            "a pipeline's definition",
            "It decides what is checked before a merge, and runs with its rights.",
        )
    if _TEST_SETTINGS.search(path):
        return "test_settings_changed", "a setting of tests or coverage", "It decides which tests run, and what counts."
    if is_conftest(path):
        return "conftest_changed", "set-up code of all tests here", "It can skip, replace or rewrite any test."
    if _CHECK_SETTINGS.search(path):
        return "check_settings_changed", "a setting of linters or type checkers", "It decides what they report."
    if _REVIEW_RULES.search(path):
        return "review_rules_changed", "a rule of review", "It decides who is asked, or what a diff shows."
    return None
