"""CODEOWNERS: the examples of GitHub's and GitLab's own documents, and what is hostile in them."""

import time

import pytest

from handrail.changes.weighing.owners import Owners, find, parse

GITHUB = """
# the default
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
/build/logs/ @doctocat
docs/*  docs2@example.com
apps/ @octocat
/scripts/ @doctocat @octocat
**/logs @logger
/apps/github
/all/** @everything
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", ("@global-owner1", "@global-owner2")),
        ("src/deep/a.js", ("@js-owner",)),
        ("a.go", ("docs@example.com",)),
        ("docs/getting-started.md", ("docs2@example.com",)),
        ("docs/build-app/troubleshooting.md", ("@global-owner1", "@global-owner2")),
        ("x/apps/y/z.py", ("@octocat",)),
        ("scripts/a.sh", ("@doctocat", "@octocat")),
        ("x/scripts/a.sh", ("@global-owner1", "@global-owner2")),
        ("build/logs/a.txt", ("@logger",)),
        ("deeply/nested/logs/a.txt", ("@logger",)),
        ("apps/github", ()),
        ("all/deep/a.py", ("@everything",)),
        ("apps/github/a.py", ()),
    ],
)
def test_github_the_last_match_wins(path: str, owners: tuple[str, ...]) -> None:
    assert parse(GITHUB, "CODEOWNERS", "github").of(path) == owners


GITLAB = """
* @default
README.md @readme
/docs/ @docs
/config/*.yml @ops
path\\ with\\ spaces/ @space
\\#file @hash

[Database][2] @dba
model/db/
config/db/database.yml @dba @other

^[Optional] @maybe
*.rb
!legacy.rb
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", ("@default",)),
        ("x/y/README.md", ("@readme",)),
        ("docs/x/a.md", ("@docs",)),
        ("config/a.yml", ("@ops",)),
        ("config/x/a.yml", ("@default",)),
        ("path with spaces/a.md", ("@space",)),
        ("#file", ("@hash",)),
        ("x/model/db/a.py", ("@default", "@dba")),
        ("config/db/database.yml", ("@default", "@dba", "@other")),
        ("a.rb", ("@default", "@maybe")),
        ("legacy.rb", ("@default",)),
    ],
)
def test_gitlab_sections_add_up(path: str, owners: tuple[str, ...]) -> None:
    assert parse(GITLAB, ".gitlab/CODEOWNERS", "gitlab").of(path) == owners


def test_only_the_first_file_of_a_hosting_counts() -> None:
    files = {"CODEOWNERS": "* @root", ".github/CODEOWNERS": "* @github", ".gitlab/CODEOWNERS": "* @gitlab"}
    assert find(files.get, "github").of("a") == ("@github",)
    assert find(files.get, "gitlab").of("a") == ("@root",)
    assert find(files.get).source == ".github/CODEOWNERS"
    assert find({".gitlab/CODEOWNERS": "[A] @x\n*"}.get).of("a") == ("@x",)


def test_without_a_file_nobody_owns_anything() -> None:
    assert find(lambda _: None) == Owners("")
    assert Owners("").of("a") == ()


def test_a_hostile_pattern_takes_no_time() -> None:
    rules = "\n".join(["*a" * 40 + "b @x", "/**/" * 30 + "b @y", "a*" * 20 + "b @z", "[x @q", "\\ @w", "/ @v", "// @u"])
    started = time.perf_counter()
    assert parse(f"{rules}\n" * 20, "CODEOWNERS", "github").of("a" * 200 + "/" + "a" * 200) == ()
    assert time.perf_counter() - started < 5
