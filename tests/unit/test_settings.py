"""Settings: documented, and wrong ones named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from handrail import settings
from handrail.changes.kinds import kinds
from handrail.channels.email import server as mail_server
from handrail.core.errors import Misconfigured
from handrail.settings import Settings

DOCUMENT = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_document_is_what_the_settings_say() -> None:
    assert DOCUMENT.read_text() == settings.documentation(), "run: python -m handrail.settings > docs/settings.md"


@pytest.mark.parametrize("name", Settings.model_fields)
def test_every_setting_is_described(name: str) -> None:
    assert Settings.model_fields[name].description
    assert f"`HANDRAIL_{name.upper()}`" in DOCUMENT.read_text()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", "https://handrail.example.com"),
        ("ALLOWED_HOSTS", "handrail.example.com:8400"),
        ("ALLOWED_ORIGINS", "*"),
        ("ALLOWED_ORIGINS", "app.example.com"),
        ("ALLOWED_ORIGINS", "https://app.example.com/path"),
        ("ADMIN_TOKEN", "short-secret"),
        ("TOKEN_FAILURES_PER_ADDRESS", "often"),
        ("OPENINGS_PER_AGENT", "0 per blue moon"),
        ("SESSION_SECONDS", "0"),
        ("LOG_FORMAT", "xml"),
    ],
)
def test_a_wrong_value_is_named(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"HANDRAIL_{name}", value)
    with pytest.raises(Misconfigured, match=f"^HANDRAIL_{name}: ") as complaint:
        settings.load()
    assert "secret" not in str(complaint.value)


# by the names that people know: what each is without being set, is set to, and cannot be
OF_CODE_CHANGES: list[tuple[str, Any, str, Any, str]] = [
    ("AGENT_MAX_RETRIES", 2, "7", 7, "many"),
    ("AGENT_TIMEOUT", 3600, "90", 90, "0"),
    ("AGENT_APPROVAL_REQUIRED", True, "false", False, "perhaps"),
    ("LLM_MODEL", None, "openai:gpt-5", "openai:gpt-5", "Open AI: gpt 5"),
    ("GIT_USER_NAME", "Handrail", "Ann", "Ann", "Ann <ann>"),
    ("GIT_USER_EMAIL", "handrail@localhost", "ann@example.com", "ann@example.com", "ann"),
    ("TEST_RUNNER_TIMEOUT", 300, "20", 20, "-1"),
    ("USE_DOCKER_FOR_TESTS", False, "false", False, "perhaps"),
    ("WEBSOCKET_CORS_ORIGINS", (), "https://a.example", ("https://a.example",), "*"),
]


@pytest.mark.parametrize("prefix", ["", "HANDRAIL_"])
@pytest.mark.parametrize(("name", "usual", "given", "value", "wrong"), OF_CODE_CHANGES)
def test_settings_of_code_changes_have_the_names_that_people_know(
    monkeypatch: pytest.MonkeyPatch, prefix: str, name: str, usual: Any, given: str, value: Any, wrong: str
) -> None:
    """S2.15."""
    assert getattr(settings.load(), name.lower()) == usual
    monkeypatch.setenv(prefix + name, given)
    assert getattr(settings.load(), name.lower()) == value
    monkeypatch.setenv(prefix + name, wrong)
    with pytest.raises(Misconfigured, match=f"^HANDRAIL_{name}: "):
        settings.load()


@pytest.mark.parametrize("model", ["gpt-5", "scripted:/a folder/b", "google_genai:gemini-3", "ollama:llama3:8b"])
def test_a_model_is_named_by_its_provider_or_alone(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    monkeypatch.setenv("LLM_MODEL", model)
    assert settings.load().llm_model == model
    monkeypatch.setenv("LLM_MODEL", model.partition(":")[0] + ":")
    with pytest.raises(Misconfigured, match=r"^HANDRAIL_LLM_MODEL: .*write one like openai:gpt-5"):
        settings.load()


def test_a_token_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_of_a_person")
    loaded = settings.load()
    assert loaded.github_token and loaded.github_token.get_secret_value() == "ghp_of_a_person"
    assert "ghp_of_a_person" not in repr(loaded)
    assert loaded.with_secrets(()).github_token is None


def test_lists_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDRAIL_ALLOWED_HOSTS", "Handrail.example.com, [::1]")
    monkeypatch.setenv("HANDRAIL_ALLOWED_ORIGINS", "https://app.example.com")
    loaded = settings.load()
    assert loaded.allowed_hosts == ("handrail.example.com", "::1")
    assert loaded.allowed_origins == ("https://app.example.com",)


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDRAIL_PORT", "1")
    assert settings.load(port=2).port == 2


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "handrail.example.com"])
def test_listening_for_others_needs_their_names_for_us(host: str) -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_ALLOWED_HOSTS"):
        settings.load(host=host)
    assert settings.load(host=host, allowed_hosts="handrail.example.com").host == host


def test_secrets_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDRAIL_ADMIN_TOKEN", "hr_a-token-that-nobody-sees")
    monkeypatch.setenv("HANDRAIL_DATABASE_URL", "postgresql://ann:sesame@db/handrail")
    shown = repr(settings.load())
    assert "nobody" not in shown
    assert "sesame" not in shown


def test_webhooks_are_always_signed() -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_WEBHOOK_URL needs HANDRAIL_WEBHOOK_SECRET"):
        settings.load(webhook_url="https://hooks.example.com")


@pytest.mark.parametrize("secret", ["whsec_c2VzYW1l", "whsec_", "sesame is not base64, however long it is"])
def test_a_weak_signing_secret_is_refused_and_not_shown(secret: str) -> None:
    with pytest.raises(Misconfigured, match=r"HANDRAIL_WEBHOOK_SECRET: .*24 random bytes") as complaint:
        settings.load(webhook_url="https://hooks.example.com", webhook_secret=secret)
    assert "sesame" not in str(complaint.value)


@pytest.mark.parametrize("url", ["hooks.example.com", "file:///etc/passwd", "https://"])
def test_a_webhook_goes_to_an_address(url: str) -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_WEBHOOK_URL: this is not an address"):
        settings.load(webhook_url=url, webhook_secret="c2VjcmV0IG9mIHRoZSB0ZXN0cyBzZWNyZXQ=")


def test_mail_needs_a_sender_and_a_place_for_its_links_to_lead_to() -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_SMTP_URL needs HANDRAIL_EMAIL_FROM and HANDRAIL_PUBLIC_URL"):
        settings.load(smtp_url="smtps://mail.example.com", email_from="handrail@example.com")


def test_a_mail_server_is_smtp_and_its_password_does_not_show() -> None:
    with pytest.raises(Misconfigured, match="HANDRAIL_SMTP_URL: this is not a mail server") as complaint:
        settings.load(smtp_url="http://ann:sesame@mail.example.com")
    assert "sesame" not in str(complaint.value)


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("smtp://mail.example.com?starttls=maybe", "takes only starttls=off"),
        ("smtps://mail.example.com?starttls=off", "takes only starttls=off, with smtp://"),
        ("smtp://ann:sesame@mail.example.com?starttls=off", "the password would be sent unencrypted"),
    ],
)
def test_mail_goes_without_tls_only_where_that_is_written_and_never_with_a_password(url: str, complaint: str) -> None:
    with pytest.raises(Misconfigured, match=complaint) as refused:
        settings.load(smtp_url=url)
    assert "sesame" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "start_tls"),
    [
        ("smtp://mail.example.com", True),
        ("smtp://mail.example.com?starttls=off", False),
        ("smtp://127.0.0.1", False),
        ("smtps://mail.example.com", False),
    ],
)
def test_starttls_is_required_of_every_other_machine(url: str, start_tls: bool) -> None:
    given = settings.load(smtp_url=url, email_from="handrail@example.com", public_url="https://handrail.example.com")
    assert mail_server.options(given)["start_tls"] is start_tls


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "handrail.toml"
    monkeypatch.setenv("HANDRAIL_SETTINGS_FILE", str(found))
    return found


def test_a_file_has_settings_and_the_environment_counts_before_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(
        'port = 8500\nagent_max_retries = 5\nagent_timeout = 60\nsession_seconds = 70\nllm_model = "openai:gpt-5"\n'
        'allowed_hosts = ["a.example", "b.example"]\ncode_hosts = {"git.example" = "gitea"}\n'
    )
    monkeypatch.setenv("AGENT_MAX_RETRIES", "1")
    monkeypatch.setenv("HANDRAIL_AGENT_TIMEOUT", "90")
    monkeypatch.setenv("HANDRAIL_SESSION_SECONDS", "80")
    found = settings.load(port=8600)
    assert (found.port, found.agent_max_retries, found.agent_timeout, found.session_seconds) == (8600, 1, 90, 80)
    assert (found.llm_model, found.allowed_hosts) == ("openai:gpt-5", ("a.example", "b.example"))
    assert found.code_hosts == {"git.example": "gitea"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 8500", "^HANDRAIL_PROT: "),
        ("agent_max_retries = 'many'", "^HANDRAIL_AGENT_MAX_RETRIES: "),
        ("admin_token = sesame", "^HANDRAIL_SETTINGS_FILE: .* is not TOML, line 1$"),
        (None, "^HANDRAIL_SETTINGS_FILE: .* cannot be read: No such file"),
    ],
)
def test_a_file_that_is_wrong_stops_the_start(file: Path, text: str | None, said: str) -> None:
    if text is not None:
        file.write_text(text)
    with pytest.raises(Misconfigured, match=said) as complaint:
        settings.load()
    assert "sesame" not in str(complaint.value)


APP = {"github_app_id": "12", "github_app_installation": "77"}


def test_a_github_app_is_whole_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="a GitHub App also needs HANDRAIL_GITHUB_APP_KEY_FILE"):
        settings.load(**APP)
    with pytest.raises(Misconfigured, match="needs HANDRAIL_GITHUB_APP_ID and HANDRAIL_GITHUB_APP_INSTALLATION"):
        settings.load(github_app_key_file=tmp_path / "key.pem")
    assert settings.load().github_app_key() is None


def test_tests_under_docker_need_an_image() -> None:
    with pytest.raises(Misconfigured, match="USE_DOCKER_FOR_TESTS needs HANDRAIL_SANDBOX_IMAGE"):
        settings.load(use_docker_for_tests=True)
    assert settings.load(use_docker_for_tests=True, sandbox_image="python:3.12").use_docker_for_tests


@pytest.mark.parametrize("content", [None, b"hunter2-is-no-key", "elliptic"])
def test_a_key_of_an_app_that_is_none_stops_the_start(tmp_path: Path, content: bytes | str | None) -> None:
    file = tmp_path / "key.pem"
    if content == "elliptic":
        content = generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    if isinstance(content, bytes):
        file.write_bytes(content)
    known = settings.load(**APP, github_app_key_file=file)
    with pytest.raises(Misconfigured, match=r"^HANDRAIL_GITHUB_APP_KEY_FILE: .*key\.pem") as complaint:
        kinds(known)
    assert "hunter2" not in str(complaint.value)


@pytest.mark.parametrize(("most", "each", "share"), [(20, None, 10), (1, None, 1), (20, 20, 20)])
def test_nobody_can_use_up_all_code_changes_unless_the_operator_wants_it(
    most: int, each: int | None, share: int
) -> None:
    admission = kinds(settings.load(max_changes=most, max_changes_per_principal=each)).of("change").admission
    assert admission is not None and (admission.most, admission.each) == (most, share)
