"""Every setting of Handrail: one typed class, read from the environment (`HANDRAIL_…`) and from a file."""

from __future__ import annotations

import base64
import os
import re
import sys
import tomllib
from collections.abc import Collection
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

import limits
from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from handrail.core.errors import Misconfigured
from handrail.core.quotas import Quota
from handrail.core.runs import Budget
from handrail.core.sizes import MIB

CodeHost = Literal["github", "gitlab", "gitea"]
PREFIX = "HANDRAIL_"
FILE = f"{PREFIX}SETTINGS_FILE"
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
# of a mail server in a private network: its messages carry sign-in links
WITHOUT_STARTTLS = "starttls=off"


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _host_name(value: str) -> str:
    name = value.lower().removeprefix("[").removesuffix("]")
    if not name or any(sign in name for sign in "*/ ") or (":" in name and not _is_address(name)):
        raise ValueError(f"{value!r} is not a host name; write names without scheme, port or wildcard")
    return name


def _origin(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or value != f"{parts.scheme}://{parts.netloc}" or "*" in value:
        raise ValueError(f"{value!r} is not an origin; write one like https://app.example.com")
    return value


def _address(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("this is not an address; write one like https://hooks.example.com/handrail")
    return value


def _mail_server(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ValueError("this is not a mail server; write one like smtps://user:password@mail.example.com")
    if parts.query and (parts.scheme, parts.query) != ("smtp", WITHOUT_STARTTLS):
        raise ValueError(f"after ? it takes only {WITHOUT_STARTTLS}, with smtp://")
    if parts.query and parts.username:
        raise ValueError(f"with {WITHOUT_STARTTLS} the password would be sent unencrypted; leave out one of the two")
    return value


def _signing_secret(value: SecretStr) -> SecretStr:
    text = value.get_secret_value().removeprefix("whsec_")
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError:
        key = b""
    if len(key) < 24:
        raise ValueError("this is not a Standard Webhooks secret; write whsec_ and at least 24 random bytes in base64")
    return value


def _not_ours(name: str) -> str:
    if name.upper().startswith(PREFIX):
        raise ValueError(f"{name} is a setting of Handrail: workflows do not get those")
    return name


def _model(value: str) -> str:
    provider, colon, name = value.partition(":")
    known = re.fullmatch(r"[a-z][a-z0-9_]*", provider) and name.strip() if colon else re.fullmatch(r"[\w./-]+", value)
    if not known:
        raise ValueError(f"{value!r} is not a model; write one like openai:gpt-5")
    return value


def _rate(value: str) -> str:
    try:
        limits.parse(value)
    except ValueError:
        raise ValueError(f"{value!r} is not a rate; write one like 10/minute") from None
    return value


Hosts = Annotated[tuple[Annotated[str, AfterValidator(_host_name)], ...], NoDecode, BeforeValidator(_split)]
Origins = Annotated[tuple[Annotated[str, AfterValidator(_origin)], ...], NoDecode, BeforeValidator(_split)]
Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
ChildNames = Annotated[tuple[Annotated[str, AfterValidator(_not_ours)], ...], NoDecode, BeforeValidator(_split)]
Folders = Annotated[tuple[Annotated[Path, AfterValidator(Path.expanduser)], ...], NoDecode, BeforeValidator(_split)]
Rate = Annotated[str, AfterValidator(_rate)]
Model = Annotated[str, AfterValidator(_model)]


def _also(name: str) -> AliasChoices:
    """A setting that other code-change agents know by a name without our prefix."""
    return AliasChoices(f"{PREFIX}{name}", name)


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid", populate_by_name=True
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given counts before the environment, and the environment before the file."""
        return init_settings, env_settings, InitSettingsSource(settings_cls, _of_file())

    data: Annotated[Path, AfterValidator(Path.expanduser)] = Field(
        default=Path("~/.handrail"),
        validate_default=True,
        description="Folder for the embedded database and everything else kept on disk.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="PostgreSQL to use instead of the embedded one: `postgresql://user:password@host/name`. Of several "
        "hosts (`…@one,two/name`), the one that can be written to.",
    )
    direct_database_url: SecretStr | None = Field(
        default=None,
        description="PostgreSQL itself, if `database_url` leads to a pooler in transaction mode, such as PgBouncer. "
        "Listeners, the leader, migrations and backups connect to it.",
    )
    host: str = Field(
        default="127.0.0.1",
        description="Address to listen on. Any address other than this machine's own needs `allowed_hosts`.",
    )
    port: int = Field(default=8400, ge=0, le=65535, description="Port to listen on; 0 picks any free one.")
    allowed_hosts: Hosts = Field(
        default=LOCAL_HOSTS,
        description="Host names that requests may use, separated by commas, with any port. Others are refused.",
    )
    allowed_origins: Origins = Field(
        default=(),
        description="Origins of web pages served elsewhere that may call the API from a browser, separated by commas.",
    )
    trusted_proxies: Names = Field(
        default=(),
        description="Addresses of proxies whose `X-Forwarded-…` headers are trusted, separated by commas.",
    )
    max_connections: int = Field(
        default=10_000,
        ge=10,
        le=1_000_000,
        description="Connections to one server process at once, as far as its limit on open files allows. When it is "
        "full, the connection whose request has been unfinished the longest is closed to make room.",
    )
    connections_per_address: int = Field(
        default=5_000,
        ge=1,
        description="How many of them may come from one address; trusted proxies are exempt.",
    )
    admin_token: SecretStr | None = Field(
        default=None,
        min_length=20,
        description="API token of the first administrator, at least 20 characters. Put in force at each start.",
    )
    audit_key_file: Path | None = Field(
        default=None,
        description="Private key that seals the audit log; created at the first start. Default: `audit/key.pem` in "
        "the data folder. All processes on one database need the same key.",
    )
    answer_key_file: Path | None = Field(
        default=None,
        description="Key that encrypts secret answers (`format: password`); created at the first start. Default: "
        "`keys/answers.key` in the data folder. All processes on one database need the same key.",
    )
    audit_head_file: Path | None = Field(
        default=None,
        description="File to which signed heads of the audit log are appended. Default: `audit/heads.jsonl` in the "
        "data folder. Best kept on another machine's disk.",
    )
    audit_keep_days: float | None = Field(
        default=None,
        gt=0,
        le=36500,
        description="How many days to keep the data of audit log entries; none: forever. Their hashes stay, so the "
        "log can still be verified.",
    )
    delivered_keep_days: float | None = Field(
        default=90, gt=0, le=36500, description="How many days to keep a notification after it was delivered."
    )
    workspace_keep_days: float | None = Field(
        default=90,
        gt=0,
        le=36500,
        description="How many days to keep the files in a session's workspace after the session has ended. Their "
        "names, sizes and hashes stay in its result.",
    )
    webhook_url: Annotated[SecretStr, AfterValidator(_address)] | None = Field(
        default=None,
        description="Where the channel `webhook` posts notifications: `https://…`. Needs `webhook_secret`.",
    )
    webhook_secret: Annotated[SecretStr, AfterValidator(_signing_secret)] | None = Field(
        default=None,
        description="Signs webhooks: `whsec_` and at least 24 random bytes in base64, as in Standard Webhooks.",
    )
    smtp_url: Annotated[SecretStr, AfterValidator(_mail_server)] | None = Field(
        default=None,
        description="Mail server of the channel `email`: `smtps://user:password@host`, or `smtp://…` with STARTTLS "
        "(not required on this machine, nor with `?starttls=off`). Needs `email_from` and `public_url`.",
    )
    email_from: Annotated[str, Field(pattern=r"^[^\s@<>,;]+@[^\s@<>,;]+$")] | None = Field(
        default=None, description="Sender address of email."
    )
    email_digest_seconds: float = Field(
        default=120,
        ge=0,
        le=3600,
        description="How long after an email to a person further holds wait to be listed in one; 0: each gets its "
        "own. Critical and escalated ones, and those that expire soon, are sent at once.",
    )
    public_url: Annotated[str, AfterValidator(_origin)] | None = Field(
        default=None,
        description="Where people reach Handrail, for links in email, company sign-in and passkeys: "
        "`https://handrail.example.com`.",
    )
    sso_file: Path | None = Field(
        default=None,
        description="TOML file with the company's sign-in providers and the table of groups and roles: "
        "[sso](sso.md). Needs `public_url`.",
    )
    slack_bot_token: SecretStr | None = Field(
        default=None,
        description="Bot token (`xoxb-…`) of the Slack app of the channel `slack`. Needs `public_url`, and "
        "`slack_app_token` or `slack_signing_secret`.",
    )
    slack_app_token: SecretStr | None = Field(
        default=None,
        description="App-level token (`xapp-…`) for Socket Mode: clicks come in without a public address.",
    )
    slack_signing_secret: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Signing secret, if Slack sends clicks to `/api/channels/slack` instead.",
    )
    slack_channel: Annotated[str, Field(pattern=r"^[CG][A-Z0-9]{2,20}$")] | None = Field(
        default=None,
        description="Id of the Slack channel to post to, such as `C0123456789`. Default: a direct message to each "
        "person who has linked an account.",
    )
    slack_url: Annotated[str, Field(pattern=r"^https?://\S+$")] = Field(
        default="https://slack.com/api", description="Slack's Web API; another one for GovSlack."
    )
    linear_api_key: SecretStr | None = Field(
        default=None,
        description="Key of the channel `linear`: a personal one (`lin_api_…`) or an OAuth token of an app. Needs "
        "`linear_team` and `public_url`.",
    )
    linear_team: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]{0,15}$")] | None = Field(
        default=None, description="Key of the Linear team that gets an issue for each hold, such as `OPS`."
    )
    linear_webhook_secret: SecretStr | None = Field(
        default=None,
        min_length=16,
        description="Signing secret of the webhook by which Linear sends comments to `/api/channels/linear`. Without "
        "it nothing comes in from Linear.",
    )
    linear_url: Annotated[str, Field(pattern=r"^https?://\S+$")] = Field(
        default="https://api.linear.app/graphql", description="Linear's GraphQL API."
    )
    push_hosts: Hosts = Field(
        default=("fcm.googleapis.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com"),
        description="Push services of browsers that the channel `push` may send to, separated by commas; names below "
        "them count too. Always with HTTPS, except on this machine.",
    )
    session_seconds: int = Field(
        default=12 * 3600, ge=60, le=90 * 86400, description="How long a browser stays signed in."
    )
    sign_in_link_seconds: int = Field(
        default=15 * 60, ge=10, le=7 * 86400, description="How long a one-time sign-in link works."
    )
    mail_link_seconds: int = Field(
        default=7 * 86400,
        ge=60,
        le=30 * 86400,
        description="How long the one-time link in an email works, at most; it also ends with the hold's deadline.",
    )
    wrong_passwords_per_name: int = Field(
        default=10,
        ge=1,
        le=1000,
        description="Wrong passwords for one name from one address before the next try has to wait, longer each time.",
    )
    wrong_passwords_per_address: int = Field(
        default=30, ge=1, le=10_000, description="The same for all names together from one address."
    )
    token_failures_per_address: Rate = Field(
        default="60/minute", description="Bad tokens and links from one address that get 401; beyond that, 429."
    )
    openings_per_agent: Rate = Field(
        default="600/minute",
        description="Holds that one agent may open, and runs it may start, across all servers.",
    )
    websocket_cors_origins: Origins = Field(
        default=(),
        validation_alias=_also("WEBSOCKET_CORS_ORIGINS"),
        description="Origins of web pages served elsewhere that may open the chat (`/ws/chat`), separated by commas. "
        "Wildcards are refused.",
    )
    chat_connections: int = Field(
        default=2_000, ge=1, le=1_000_000, description="Chat connections to one server process at once."
    )
    chat_connections_per_principal: int = Field(
        default=50, ge=1, le=1_000_000, description="How many of them one principal may have."
    )
    chat_handshakes_per_address: Rate = Field(
        default="120/minute", description="Chat connections that one address may begin; beyond that, 429."
    )
    chat_messages_per_principal: Rate = Field(
        default="120/minute",
        description="Chat events that one principal may send to one server process. Cancellations are counted apart.",
    )
    workflows_file: Path | None = Field(
        default=None,
        description="File that names the workflows to serve. Default: `handrail.toml` in the current folder, if it "
        "exists.",
    )
    concurrency: int | None = Field(
        default=None,
        ge=0,
        le=1000,
        description="Runs that one worker runs at once, each in a separate process. Default: the number of cores, at "
        "least 2. With 0, `handrail up` runs none.",
    )
    child_env: ChildNames = Field(
        default=(),
        description="Environment variables that workflows get, separated by commas, such as `OPENAI_API_KEY`. Apart "
        "from these they get only those that every program needs and those that executors name.",
    )
    child_user: str | None = Field(
        default=None,
        description="The user, by name or number, that workflows run as if Handrail is root. Default: one that owns "
        "nothing (61184). `root`: they can read everything that Handrail can.",
    )
    child_database_url: SecretStr | None = Field(
        default=None,
        description="PostgreSQL login for workflows, if the server's own login may not create one that is limited to "
        "what runs need.",
    )
    run_steps: int = Field(
        default=1000, ge=1, le=1_000_000, description="Steps that a run may take; its starter may allow fewer."
    )
    run_seconds: float = Field(
        default=3600, gt=0, le=10 * 365 * 86400, description="Seconds that a run may work; waiting is free."
    )
    run_cost: Decimal | None = Field(
        default=None, gt=0, description="What a run's model calls may cost, in the currency of the configured prices."
    )
    decision_target_seconds: float = Field(
        default=300.0,
        gt=0,
        le=30 * 86_400,
        description="How soon holds should be decided: a metric, and an alert where half of them take longer.",
    )
    max_sessions: int = Field(
        default=5,
        ge=1,
        le=10_000,
        description="Sessions (runs of skills) that may be active at once on one database; the next start gets 429.",
    )
    max_sessions_per_principal: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="How many of them one principal may have started; none: all of them.",
    )
    open_holds: int = Field(
        default=10_000,
        ge=1,
        le=10_000_000,
        description="Holds that one principal may have pending at once, including those of the runs it started; the "
        "next gets 429.",
    )
    open_megabytes: int = Field(default=256, ge=1, le=1_000_000, description="How much space they may take, as stored.")
    comments_on_hold: int = Field(
        default=200, ge=1, le=100_000, description="Comments that one principal may make on one hold."
    )
    comments_per_minute: int = Field(
        default=60, ge=1, le=100_000, description="Comments that one principal may make in a minute."
    )
    disk_reserve_megabytes: int = Field(
        default=256,
        ge=0,
        description="If less is free in the embedded database's data folder, nothing new is accepted (507), so that "
        "people can still decide and set the brake.",
    )
    session_idle_seconds: float = Field(
        default=30 * 60,
        ge=1,
        le=365 * 86400,
        description="A session without activity for this long expires, along with its open questions.",
    )
    model_light: Model | None = Field(
        default=None,
        description="Chat model for simple work, as LangChain's `provider:name`: `openai:gpt-5-mini`. Needs the "
        "provider's package: `pip install 'handrail[openai]'`.",
    )
    model_advanced: Model | None = Field(default=None, description="Chat model for everything else.")
    model_url: str | None = Field(
        default=None,
        description="Server of these models, if not the provider's own: `http://localhost:11434/v1` for one that "
        "speaks OpenAI's protocol.",
    )
    model_key: SecretStr | None = Field(
        default=None,
        description="Key for these models. Default: the content of `model_key_file`, otherwise the provider's "
        "variable (`OPENAI_API_KEY`).",
    )
    model_key_file: Path | None = Field(default=None, description="File that contains only the key.")
    model_context: int | None = Field(
        default=None,
        ge=1000,
        description="Tokens that the models accept at once. Default: what LangChain knows about the model, otherwise "
        "32,000.",
    )
    embeddings: Model = Field(
        default="wordllama",
        description="What turns text into vectors: `wordllama` on this machine, or a provider's model as "
        "`openai:name`.",
    )
    skill_roots: Folders = Field(
        default=(), description="Folders on the server from which skills may be registered, separated by commas."
    )
    skill_opinion: bool = Field(
        default=False, description="Whether to ask the light model for its opinion of each skill that is registered."
    )
    skill_threshold: float = Field(
        default=0.2, ge=-1, le=1, description="How close a skill must be to a query to be found; 1 is the same text."
    )
    mcp_servers: Path | None = Field(
        default=None,
        description="File of the MCP servers whose tools skills may use: JSON with `mcpServers`, as in most programs.",
    )
    git_private_hosts: Names = Field(
        default=(),
        description="Hosts in private networks that may be cloned from, separated by commas.",
    )
    git_seconds: float = Field(default=60, gt=0, le=3600, description="How long cloning a repository may take.")
    git_ssh_key: Path | None = Field(
        default=None,
        description="Private key for repositories named by ssh address. Needs `git_known_hosts`; without both, they "
        "are refused.",
    )
    git_known_hosts: Path | None = Field(
        default=None, description="File of the hosts that ssh may connect to, with their keys, in ssh's own format."
    )
    repository_roots: Folders = Field(
        default=(),
        description="Folders under which repositories may be named by path, separated by commas.",
    )
    git_megabytes: int = Field(default=100, ge=1, le=10_000, description="How large a cloned repository may be.")
    sandbox_image: str | None = Field(
        default=None,
        description="Docker image, with `python3`, in which untrusted code runs. Default: it runs under bubblewrap.",
    )
    agent_max_retries: int = Field(
        default=2,
        ge=0,
        le=20,
        validation_alias=_also("AGENT_MAX_RETRIES"),
        description="How often a code change may be repaired after failing tests or checks, before people are asked.",
    )
    agent_timeout: float = Field(
        default=3600,
        gt=0,
        le=10 * 365 * 86400,
        validation_alias=_also("AGENT_TIMEOUT"),
        description="Seconds that a code change may work; waiting is free.",
    )
    agent_approval_required: bool = Field(
        default=True,
        validation_alias=_also("AGENT_APPROVAL_REQUIRED"),
        description="Whether people approve every plan of a code change. If not, the policy approves plans that it "
        "calls low, unless the request itself asks for approval.",
    )
    max_changes: int = Field(
        default=20,
        ge=1,
        le=10_000,
        description="Code changes that may be active at once on one database; the next start gets 429.",
    )
    max_changes_per_principal: int | None = Field(
        default=None,
        ge=1,
        le=10_000,
        description="How many of them each principal may have. Default: half, so that nobody can use them up.",
    )
    llm_model: Model | None = Field(
        default=None,
        validation_alias=_also("LLM_MODEL"),
        description="Chat model for code changes. Default: the advanced one, and the light one for summaries.",
    )
    model_plan: Model | None = Field(
        default=None, description="Chat model that plans code changes. Default: `llm_model`."
    )
    model_edit: Model | None = Field(default=None, description="Chat model that edits code. Default: `llm_model`.")
    model_summary: Model | None = Field(
        default=None, description="Chat model that reads requests and answers questions. Default: `llm_model`."
    )
    git_user_name: str = Field(
        default="Handrail",
        min_length=1,
        max_length=200,
        pattern=r"^[^\x00-\x1f<>]+$",
        validation_alias=_also("GIT_USER_NAME"),
        description="Author of the commits of code changes.",
    )
    git_user_email: str = Field(
        default="handrail@localhost",
        max_length=200,
        pattern=r"^[^\s@<>]+@[^\s@<>]+$",
        validation_alias=_also("GIT_USER_EMAIL"),
        description="Their address.",
    )
    github_token: SecretStr | None = Field(
        default=None,
        validation_alias=_also("GITHUB_TOKEN"),
        description="Token that pushes branches and opens pull requests on GitHub. It is checked before each change.",
    )
    github_app_id: str | None = Field(
        default=None,
        pattern=r"^[\w.-]{1,60}$",
        description="Id of a GitHub App that does so instead of a token. It needs `contents` and `pull_requests`, both "
        "write.",
    )
    github_app_installation: str | None = Field(
        default=None, pattern=r"^[0-9]{1,20}$", description="Id of the App's installation for the repositories."
    )
    github_app_key_file: Path | None = Field(
        default=None, description="File with the App's private key, as GitHub gives it (PEM). It is read at the start."
    )
    gitlab_token: SecretStr | None = Field(
        default=None, validation_alias=_also("GITLAB_TOKEN"), description="The same for GitLab."
    )
    gitea_token: SecretStr | None = Field(
        default=None, validation_alias=_also("GITEA_TOKEN"), description="The same for Gitea and Forgejo."
    )
    code_hosts: dict[str, CodeHost] = Field(
        default={},
        description="What speaks which API, other than `github.com` and `gitlab.com`: JSON of host names and `github`, "
        '`gitlab` or `gitea`, like `{"git.example.com": "gitea"}`.',
    )
    change_repositories: Names = Field(
        default=(),
        description="Private repositories that code changes may read with these tokens, separated by commas, as "
        "`github.com/acme/*`. Whoever may start a change can read what it reads.",
    )
    test_runner_timeout: float = Field(
        default=300,
        gt=0,
        le=86400,
        validation_alias=_also("TEST_RUNNER_TIMEOUT"),
        description="Seconds that a run of a repository's tests may take.",
    )
    use_docker_for_tests: bool = Field(
        default=False,
        validation_alias=_also("USE_DOCKER_FOR_TESTS"),
        description="Whether a repository's tests run under Docker, in `HANDRAIL_SANDBOX_IMAGE`. Default: under "
        "bubblewrap.",
    )
    dependencies_folder: Path | None = Field(
        default=None,
        description="Folder of prepared dependencies for machines without network, used instead of fetching them.",
    )
    coverage_threshold: float = Field(
        default=0.8, ge=0, le=1, description="How much of the changed code tests must reach, where coverage is known."
    )
    checkpoints_keep_days: float = Field(
        default=7,
        ge=0,
        description="How many days to keep the checkpoints of an ended run; those of a failed run, which can be "
        "retried, are kept forever.",
    )
    upload_megabytes: int = Field(default=20, ge=1, le=1024, description="Largest document that is accepted.")
    model_prices: dict[str, tuple[Decimal, Decimal]] = Field(
        default={},
        description="What models cost, for the budgets of runs: JSON of model names (or their beginnings) and the "
        'price of a million tokens in and out, like `{"gpt-5": [1.25, 10]}`.',
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="Least important log lines to write."
    )
    log_format: Literal["console", "json"] = Field(
        default="console", description="Log lines for people (`console`) or one JSON object per line (`json`)."
    )

    log_file: Path | None = Field(
        default=None,
        description="File to which log lines are also appended, as one JSON object per line. It may be moved away by "
        "a log rotation.",
    )
    traces_url: Annotated[str, Field(pattern=r"^https?://\S+$")] | None = Field(
        default=None,
        description="Collector of OpenTelemetry traces, by OTLP over HTTP: `http://127.0.0.1:4318/v1/traces`. Needs "
        "`pip install 'handrail[telemetry]'`. Headers come from `OTEL_EXPORTER_OTLP_HEADERS`.",
    )

    @property
    def run_budget(self) -> Budget:
        """The most that a run may use."""
        return Budget(self.run_steps, self.run_seconds, self.run_cost)

    @property
    def quota(self) -> Quota:
        """The most that each principal may have."""
        return Quota(
            self.open_holds,
            self.open_megabytes * MIB,
            self.comments_on_hold,
            self.comments_per_minute,
        )

    @property
    def embedded_data(self) -> Path | None:
        """The data folder where the database is embedded in it."""
        return None if self.database_url else self.data

    @property
    def pooler(self) -> str | None:
        """The pooler that commands go through, where there is one."""
        return self.database_url.get_secret_value() if self.database_url and self.direct_database_url else None

    @property
    def audit_key(self) -> Path:
        return self.audit_key_file or self.data / "audit" / "key.pem"

    @property
    def answer_key(self) -> Path:
        return self.answer_key_file or self.data / "keys" / "answers.key"

    @property
    def audit_heads(self) -> Path:
        return self.audit_head_file or self.data / "audit" / "heads.jsonl"

    @property
    def workflows(self) -> Path | None:
        """The file of workflows, where there is one."""
        file = self.workflows_file or Path("handrail.toml")
        return file.absolute() if self.workflows_file or file.is_file() else None

    def with_secrets(self, names: Collection[str]) -> Settings:
        """The same without secrets other than these."""
        unknown = set(names) - type(self).model_fields.keys()
        assert not unknown, f"there are no settings {unknown}"
        secret = [name for name in type(self).model_fields if isinstance(getattr(self, name), SecretStr)]
        return self.model_copy(update=dict.fromkeys(name for name in secret if name not in names))

    def model_secret(self) -> SecretStr | None:
        """The key of the models, where one is set here; `Misconfigured` where its file cannot be read."""
        if self.model_key is not None or self.model_key_file is None:
            return self.model_key
        try:
            return SecretStr(self.model_key_file.read_text().strip())
        except (OSError, UnicodeDecodeError):
            raise Misconfigured(f"{PREFIX}MODEL_KEY_FILE: {self.model_key_file} cannot be read") from None

    def github_app_key(self) -> SecretStr | None:
        """The App's private key, where there is an App; `Misconfigured` where the file has none."""
        if self.github_app_key_file is None:
            return None
        # every command reads its settings, and few need this
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        try:
            key = self.github_app_key_file.read_bytes()
            found = load_pem_private_key(key, None)
        except OSError:
            raise Misconfigured(f"{PREFIX}GITHUB_APP_KEY_FILE: {self.github_app_key_file} cannot be read") from None
        except (ValueError, TypeError, UnsupportedAlgorithm):
            found = key = None
        if key is None or not isinstance(found, RSAPrivateKey):
            raise Misconfigured(
                f"{PREFIX}GITHUB_APP_KEY_FILE: {self.github_app_key_file} is not an RSA private key (PEM). "
                "Download one from the App's settings on GitHub."
            )
        return SecretStr(key.decode())

    @property
    def changes_each(self) -> int:
        """Code changes that one principal may have active at once."""
        return self.max_changes_per_principal or max(1, self.max_changes // 2)

    @model_validator(mode="after")
    def _pooler_in_front(self) -> Settings:
        if self.direct_database_url is not None and self.database_url is None:
            raise ValueError(f"{PREFIX}DIRECT_DATABASE_URL needs {PREFIX}DATABASE_URL, the pooler in front of it")
        return self

    @model_validator(mode="after")
    def _whole_app(self) -> Settings:
        parts = {
            f"{PREFIX}{name.upper()}": getattr(self, name)
            for name in ("github_app_id", "github_app_installation", "github_app_key_file")
        }
        missing = [name for name, value in parts.items() if value is None]
        if missing and len(missing) < len(parts):
            raise ValueError(f"a GitHub App also needs {' and '.join(missing)}")
        return self

    @model_validator(mode="after")
    def _tests_in_an_image(self) -> Settings:
        if self.use_docker_for_tests and self.sandbox_image is None:
            raise ValueError(f"{PREFIX}USE_DOCKER_FOR_TESTS needs {PREFIX}SANDBOX_IMAGE, the image that tests run in")
        return self

    @model_validator(mode="after")
    def _hosts_for_others(self) -> Settings:
        if not _is_local(self.host) and "allowed_hosts" not in self.model_fields_set:
            raise ValueError(
                f"listening on {self.host} needs {PREFIX}ALLOWED_HOSTS: the names by which others reach this server"
            )
        return self

    @model_validator(mode="after")
    def _signed_webhooks(self) -> Settings:
        if self.webhook_url is not None and self.webhook_secret is None:
            raise ValueError(f"{PREFIX}WEBHOOK_URL needs {PREFIX}WEBHOOK_SECRET: webhooks are always signed")
        return self

    @model_validator(mode="after")
    def _slack_both_ways(self) -> Settings:
        if self.slack_bot_token is None:
            return self
        if self.public_url is None:
            raise ValueError(f"{PREFIX}SLACK_BOT_TOKEN needs {PREFIX}PUBLIC_URL: messages link to the hold")
        if self.slack_app_token is None and self.slack_signing_secret is None:
            raise ValueError(
                f"{PREFIX}SLACK_BOT_TOKEN needs {PREFIX}SLACK_APP_TOKEN (Socket Mode) or {PREFIX}SLACK_SIGNING_SECRET"
            )
        return self

    @model_validator(mode="after")
    def _linear_with_a_team(self) -> Settings:
        if self.linear_api_key is not None and (self.linear_team is None or self.public_url is None):
            raise ValueError(f"{PREFIX}LINEAR_API_KEY needs {PREFIX}LINEAR_TEAM and {PREFIX}PUBLIC_URL")
        return self

    @model_validator(mode="after")
    def _sso_with_a_way_back(self) -> Settings:
        if self.sso_file is not None and self.public_url is None:
            raise ValueError(f"{PREFIX}SSO_FILE needs {PREFIX}PUBLIC_URL: providers send people back there")
        return self

    @model_validator(mode="after")
    def _mail_with_links(self) -> Settings:
        if self.smtp_url is not None and (self.email_from is None or self.public_url is None):
            raise ValueError(f"{PREFIX}SMTP_URL needs {PREFIX}EMAIL_FROM and {PREFIX}PUBLIC_URL")
        return self


def _of_file() -> dict[str, Any]:
    """The settings of the file that the environment names; none where it names none."""
    named = os.environ.get(FILE)
    if not named:
        return {}
    try:
        return tomllib.loads(Path(named).expanduser().read_text("utf-8"))
    except OSError as error:
        raise Misconfigured(f"{FILE}: {named} cannot be read: {error.strerror}") from None
    except ValueError as error:
        # what it says may be a secret's line, so only where it is wrong is told
        where = re.search(r"line \d+", str(error))
        raise Misconfigured(f"{FILE}: {named} is not TOML{f', {where[0]}' if where else ''}") from None


def load(**options: Any) -> Settings:
    """The settings of file and environment, overridden by options; `Misconfigured` names each setting that is wrong."""
    try:
        return Settings(**options)
    except ValidationError as error:
        # not the values: they may be secrets
        lines = [
            _complaint(e["loc"], e["msg"].removeprefix("Value error, ")) for e in error.errors(include_input=False)
        ]
        raise Misconfigured("; ".join(lines)) from None


def is_ours(variable: str) -> bool:
    """Whether a variable of the environment is a setting, also by a name without our prefix."""
    name = variable.upper()
    return name.startswith(PREFIX) or any(
        isinstance(also := field.validation_alias, AliasChoices) and name in also.choices
        for field in Settings.model_fields.values()
    )


def _complaint(loc: tuple[int | str, ...], message: str) -> str:
    return f"{PREFIX}{str(loc[0]).upper().removeprefix(PREFIX)}: {message}" if loc else message


def _is_local(host: str) -> bool:
    return ip_address(host).is_loopback if _is_address(host) else host == "localhost"


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def documentation() -> str:
    """The text of docs/settings.md."""
    rows = "\n".join(_row(name, field) for name, field in Settings.model_fields.items())
    return f"""# Settings

Handrail reads its settings from environment variables, and from a TOML file if `{FILE}` names one:
`port = 8400` there is `HANDRAIL_PORT=8400`. If both have a setting, the variable counts. With an invalid value, or an
unknown name in the file, it does not start, and the message names the setting. Rates are written like `10/minute` or
`5/30 seconds`.

| variable | default | meaning |
| --- | --- | --- |
{rows}

This page is generated by `python -m handrail.settings`.
"""


def _row(name: str, field: FieldInfo) -> str:
    default: object = field.default
    value = ", ".join(map(str, cast("tuple[object, ...]", default))) if isinstance(default, tuple) else default
    also = field.validation_alias
    other = f" or `{also.choices[1]}`" if isinstance(also, AliasChoices) else ""
    shown = f"`{value}`" if value not in (None, "") else "none"
    return f"| `{PREFIX}{name.upper()}`{other} | {shown} | {field.description} |"


if __name__ == "__main__":
    sys.stdout.write(documentation())
