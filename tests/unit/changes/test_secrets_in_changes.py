"""Secrets in added lines: found by their form, never repeated, and what only looks like one is left alone."""

from pathlib import Path

import pytest
from changes_pairs import change, rules

from handrail.changes.verifying import secrets
from handrail.changes.verifying.model import Verdict

AWS = "AKIA" + "Q3EGJ7XNMPLR2KVT"
GITHUB = "ghp_" + "a8Kd93jLmQ7xZt5RvBn2WcYp4HsTf6UeGi1o"
MADE = "q7Zt-Vb3kLx9" + "_Wm2RpYc5NdHs8Gf"


@pytest.mark.parametrize(
    ("path", "line", "value"),
    [
        ("shop/settings.py", f"key = '{AWS}'", AWS),
        ("tests/test_a.py", f"key = '{AWS}'", AWS),
        ("src/a.ts", f"const t = `{GITHUB}`;", GITHUB),
        ("a.pem.txt", "-----BEGIN RSA PRIVATE KEY-----", "PRIVATE KEY"),
        ("shop/settings.py", f"API_KEY = '{MADE}'", MADE),
        ("config.yml", f'db_password: "{MADE}"', MADE),
        ("docker.env.txt", f"DATABASE=postgres://shop:{MADE}@db.internal/shop", MADE),
    ],
)
def test_a_secret_fails_and_is_not_repeated(tmp_path: Path, path: str, line: str, value: str) -> None:
    found = secrets.check(change(tmp_path, {path: "a\n"}, {path: f"a\nb\n{line}\n"}))
    assert (found.verdict, rules(found), found.findings[0].line) == (Verdict.failed, ["secret"], 3)
    assert value not in str(found.as_data()).replace("BEGIN RSA", "") or value == "PRIVATE KEY"


@pytest.mark.parametrize(
    "line",
    [
        "password = 'correct horse battery'",
        "password = os.environ['PASSWORD_1']",
        "api_key = '<your-api-key-123>'",
        "token = 'example-token-12345678'",
        'secret: "${VAULT_SECRET_1}"',
        "token_url = 'https://auth.example.com/oauth2/token'",
        "DATABASE = 'postgres://user:password@localhost:5432/db1'",
        "commit = '9fceb02d0ae598e95dc970b74767f19372d61af8'",
        "integrity sha512-q8PdzDbP7sBLqmpVb0bR4AKQ3dGkJ8YtJkA2zXmP1nQ==",
        "id = '550e8400-e29b-41d4-a716-446655440000'",
        "access_key = 'AKIAIOSFODNN7EXAMPLE'",
        "password_field_name = 'password_1_confirmation'",
        "url = 'https://x:y@registry.test/simple'",
        "key = 'sk-aaaaaaaaaaaa'",
    ],
)
def test_what_is_no_secret_passes(tmp_path: Path, line: str) -> None:
    path = "shop/settings.py"
    assert secrets.check(change(tmp_path, {path: "a\n"}, {path: f"a\n{line}\n"})).findings == ()


def test_an_address_with_a_password_in_a_test_passes(tmp_path: Path) -> None:
    line = f"url = 'https://shop:{MADE}@registry.test'\n"
    assert secrets.check(change(tmp_path, {}, {"tests/test_a.py": line})).findings == ()
    assert rules(secrets.check(change(tmp_path, {}, {"shop/a.py": line}))) == ["secret"]


def test_a_secret_in_a_line_without_end_is_found(tmp_path: Path) -> None:
    line = "a." * 100_000 + f"'{AWS}'" + ":b" * 20_000
    assert rules(secrets.check(change(tmp_path, {}, {"a.js": f"{line}\n"}))) == ["secret"]


def test_a_secret_that_was_there_before_is_not_new(tmp_path: Path) -> None:
    line = f"key = '{AWS}'\n"
    assert secrets.check(change(tmp_path, {"a.py": f"{line}b\n"}, {"a.py": f"b\n  {line}"})).verdict is Verdict.passed


@pytest.mark.parametrize("path", [".env", ".env.production", "deploy/id_rsa", "certs/server.p12"])
def test_a_file_that_holds_secrets_fails(tmp_path: Path, path: str) -> None:
    assert rules(secrets.check(change(tmp_path, {}, {path: "a=b\n"}))) == ["secret_file"]


def test_an_example_of_such_a_file_passes(tmp_path: Path) -> None:
    assert secrets.check(change(tmp_path, {}, {".env.example": "A=b\n"})).verdict is Verdict.passed
