"""From an approved change to a pull request, on each of the three hosts; and each way in which that is refused."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import hosting_stub
import publishing_world as world
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from git_server import git
from hosting_stub import Fault, Grant, Pull, Repository
from hosting_stub.server import Faulty
from publishing_world import Change

from handrail import settings
from handrail.changes import hosting
from handrail.changes.publishing import api, errors
from handrail.changes.publishing.evidence import Evidence
from handrail.changes.publishing.github import App
from handrail.changes.publishing.hosts import Kind, api_of, kind_of, reached, token_for
from handrail.changes.publishing.pulls import Host, Proposal
from handrail.changes.publishing.pushing import PushedBranch, push
from handrail.changes.publishing.secrets import Token
from handrail.changes.publishing.verification import verify
from handrail.core.audit import Signer
from handrail.engine.repositories import allowed_by
from handrail.sandbox.cloning import CloneLimits
from handrail.sandbox.repositories import RepositoryAccess

LIMITS = CloneLimits(seconds=20, private_hosts=frozenset({"127.0.0.1"}))
ALLOWED = RepositoryAccess(LIMITS)
BRANCH = "handrail/round-totals"
SCOPES: dict[Kind, tuple[str, ...]] = {"github": ("repo",), "gitlab": ("api",), "gitea": ("write:repository",)}
EACH_HOST = pytest.mark.parametrize("kind", ["github", "gitlab", "gitea"])
NUMBERS = count(1)
SIGNER = Signer.of(Ed25519PrivateKey.generate())


@pytest.fixture(scope="module")
def stub(tmp_path_factory: pytest.TempPathFactory) -> Generator[Faulty]:
    with hosting_stub.serving(tmp_path_factory.mktemp("hosted")) as stub:
        yield stub


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> Change:
    return world.made(tmp_path_factory.mktemp("changes") / "shop")


@dataclass
class Stage:
    """A repository on the host, a change for it, and a token."""

    stub: Faulty
    kind: Kind
    repository: Repository
    folder: Path
    evidence: Evidence
    token: str
    pauses: list[float]

    @property
    def grant(self) -> Grant:
        return self.stub.tokens[self.token]

    @asynccontextmanager
    async def host(self, credential: Token | App | None = None) -> AsyncGenerator[Host]:
        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        async with reached(
            self.evidence.repository, {"127.0.0.1": self.kind}, credential or Token(self.token), LIMITS, pause
        ) as host:
            yield host

    async def pushed(self) -> PushedBranch:
        return await push(self.folder, self.evidence, self.evidence, ALLOWED, Token(self.token))

    def proposal(self, **others: object) -> Proposal:
        plain = Proposal(BRANCH, "main", self.evidence.head, "fix: round totals", world.TEXT)
        return replace(plain, **others)

    async def refused(self, branch: str = BRANCH, base: str = "main") -> str:
        with pytest.raises(errors.NotPublished) as refused:
            async with self.host() as host:
                await host.check_access(branch, base)
        assert self.token not in refused.value.message
        assert not [line for line in self.stub.requests if self.token in line], "never in an address"
        return refused.value.code


@pytest.fixture
def kind() -> Kind:
    return "github"


@pytest.fixture
def stage(stub: Faulty, change: Change, kind: Kind) -> Stage:
    number = next(NUMBERS)
    repository = stub.repository(f"team/shop{number}", change.folder)
    token = f"secret-token-{number}"
    stub.tokens[token] = Grant(scopes=SCOPES[kind])
    stub.requests.clear()
    stub.faults.clear()
    evidence = replace(change.evidence, repository=f"{stub.url}/{repository.path}.git")
    return Stage(stub, kind, repository, change.folder, evidence, token, [])


@EACH_HOST
async def test_an_approved_change_becomes_a_pull_request(stage: Stage) -> None:
    async with stage.host() as host:
        access = await host.check_access(BRANCH, "main")
        assert (access.default_branch, access.user) == ("main", "handrail-bot")
        assert stage.repository.pulls == []
        assert await stage.pushed() == PushedBranch(BRANCH, stage.evidence.head, fresh=True)
        assert stage.repository.commit(BRANCH) == stage.evidence.head
        assert await host.find_pull_request(BRANCH, "main", stage.evidence.head) is None

        body = world.body_of(SIGNER, stage.evidence)
        proposal = stage.proposal(body=body, labels=("bug", "handrail"), reviewers=("ada", "ben"))
        opened = await host.open_pull_request(proposal)

    (pull,) = stage.repository.pulls
    assert opened.fresh and opened.notes == ()
    assert opened.pull_request.url.startswith(stage.stub.url)
    assert (opened.pull_request.number, opened.pull_request.commit) == (pull.number, stage.evidence.head)
    assert pull.title.removeprefix("Draft: ").removeprefix("WIP: ") == "fix: round totals"
    verdict = await verify(pull.body, [SIGNER.public], stage.repository.folder)
    assert verdict.faults == (), "what the host has now is what was approved"
    assert pull.draft and sorted(pull.labels) == ["bug", "handrail"] and sorted(pull.reviewers) == ["ada", "ben"]


@EACH_HOST
async def test_doing_it_all_again_changes_nothing(stage: Stage) -> None:
    await stage.pushed()
    async with stage.host() as host:
        first = await host.open_pull_request(stage.proposal(labels=("bug",), reviewers=("ada",)))
        assert await stage.pushed() == PushedBranch(BRANCH, stage.evidence.head, fresh=False)
        again = await host.open_pull_request(stage.proposal(labels=("bug",), reviewers=("ada",)))
    assert (again.pull_request, again.fresh) == (first.pull_request, False)
    assert len(stage.repository.pulls) == 1


@EACH_HOST
@pytest.mark.parametrize(
    "fault",
    [
        Fault("POST .*(pulls|merge_requests)$", 502, after=True),
        Fault("POST .*(pulls|merge_requests)$", after=True, hang_up=True),
    ],
    ids=["5xx", "hang-up"],
)
async def test_an_answer_that_is_lost_after_the_effect_opens_no_second_one(stage: Stage, fault: Fault) -> None:
    await stage.pushed()
    stage.stub.faults.append(replace(fault))
    async with stage.host() as host:
        opened = await host.open_pull_request(stage.proposal())
    assert opened.fresh and len(stage.repository.pulls) == 1


@EACH_HOST
async def test_a_host_that_fails_before_the_effect_is_asked_again(stage: Stage) -> None:
    await stage.pushed()
    stage.stub.faults += [Fault("POST .*(pulls|merge_requests)$", 503), Fault("GET", 500)]
    async with stage.host() as host:
        opened = await host.open_pull_request(stage.proposal())
    assert opened.fresh and len(stage.repository.pulls) == 1
    assert stage.pauses, "it waited in between"


@EACH_HOST
async def test_a_host_that_keeps_failing_is_unavailable(stage: Stage) -> None:
    await stage.pushed()
    stage.stub.faults.append(Fault("POST", 503, times=10))
    async with stage.host() as host:
        with pytest.raises(errors.HostUnavailable) as failed:
            await host.open_pull_request(stage.proposal())
    assert failed.value.code == "host_unavailable" and failed.value.retry_after > 0
    assert stage.repository.pulls == []


@EACH_HOST
@pytest.mark.parametrize("status", [403, 429])
async def test_a_limit_is_waited_for_as_long_as_the_host_says(stage: Stage, status: int) -> None:
    await stage.pushed()
    limit = Fault("POST", status, {"Retry-After": "7"}, {"message": "You have exceeded a secondary rate limit"})
    stage.stub.faults.append(limit)
    async with stage.host() as host:
        await host.open_pull_request(stage.proposal())
    assert stage.pauses == [7.0]
    assert len(stage.repository.pulls) == 1


async def test_a_limit_without_a_time_is_waited_for_a_minute(stage: Stage) -> None:
    await stage.pushed()
    stage.stub.faults.append(Fault("POST", 403, {}, {"message": "You have exceeded a secondary rate limit."}))
    async with stage.host() as host:
        await host.open_pull_request(stage.proposal())
    assert stage.pauses == [60.0]


@EACH_HOST
async def test_a_limit_of_an_hour_is_for_the_run_to_come_back_to(stage: Stage) -> None:
    at = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(time.time()) + 3600)}
    stage.stub.faults.append(Fault("GET", 403, at))
    with pytest.raises(errors.HostBusy) as busy:
        async with stage.host() as host:
            await host.check_access(BRANCH, "main")
    assert busy.value.code == "host_busy" and 3500 < busy.value.retry_after <= 3600
    assert stage.pauses == []


@EACH_HOST
async def test_one_that_was_opened_by_somebody_else_meanwhile_is_taken(stage: Stage) -> None:
    """The first question shows none; then the host says that there is one."""
    await stage.pushed()
    stage.repository.pulls.append(Pull(1, BRANCH, "main", "mine", "", False, "ada"))
    stage.stub.faults.append(Fault("GET .*(pulls|merge_requests)", 200, {"Content-Type": "application/json"}, []))
    async with stage.host() as host:
        opened = await host.open_pull_request(stage.proposal())
    assert not opened.fresh and opened.pull_request.number == 1 and len(stage.repository.pulls) == 1


@EACH_HOST
async def test_one_that_was_merged_or_closed_with_this_commit_is_not_opened_again(stage: Stage) -> None:
    await stage.pushed()
    stage.repository.pulls.append(Pull(1, BRANCH, "main", "mine", "", False, "ada", state="merged"))
    async with stage.host() as host:
        opened = await host.open_pull_request(stage.proposal())
    assert (opened.pull_request.state, len(stage.repository.pulls)) == ("merged", 1)


@EACH_HOST
async def test_reviewers_who_may_not_be_and_labels_that_cannot_be_are_noted(stage: Stage) -> None:
    await stage.pushed()
    impossible = "x" * 60
    async with stage.host() as host:
        opened = await host.open_pull_request(
            stage.proposal(labels=("bug", impossible), reviewers=("handrail-bot", "nobody", "ada"))
        )
    (pull,) = stage.repository.pulls
    assert (pull.labels, pull.reviewers) == (["bug"], ["ada"])
    notes = sorted((note.code, note.detail.split("'")[1]) for note in opened.notes)
    assert notes == [
        ("label_missing", impossible),
        ("reviewer_refused", "handrail-bot"),
        ("reviewer_refused", "nobody"),
    ]


@EACH_HOST
async def test_a_host_that_fails_over_labels_and_reviewers_has_the_pull_request_open(stage: Stage) -> None:
    await stage.pushed()
    stage.stub.faults.append(Fault("labels|reviewers|PUT", 500, times=99))
    async with stage.host() as host:
        opened = await host.open_pull_request(stage.proposal(labels=("bug",), reviewers=("ada",)))
    assert opened.fresh and {note.code for note in opened.notes} == {"label_missing", "reviewer_refused"}


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (
            "refusing to allow a Personal Access Token to update workflow `x` without `workflow` scope",
            "token_lacks_scope",
        ),
        ("refusing to allow a GitHub App to update workflow `x` without `workflows` permission", "token_lacks_scope"),
        ("GH013: Repository rule violations found: Push cannot contain secrets", "host_refused_request"),
        ("GitLab: You are not allowed to push code to protected branches on this project.", "branch_protected"),
        ("Gitea: branch handrail/x is protected from force push", "branch_protected"),
        ("pre-receive hook says no", "host_refused_request"),
    ],
)
async def test_what_hosts_say_when_they_refuse_a_push_has_a_code(stage: Stage, said: str, code: str) -> None:
    (stage.repository.folder / "hooks" / "update").write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    with pytest.raises(errors.NotPublished, match=BRANCH) as refused:
        await stage.pushed()
    assert refused.value.code == code
    assert said[:40] in refused.value.message


@EACH_HOST
async def test_a_pull_request_of_a_branch_that_is_not_there_is_refused(stage: Stage) -> None:
    async with stage.host() as host:
        with pytest.raises(errors.HeadMissing):
            await host.open_pull_request(stage.proposal())
        await stage.pushed()
        with pytest.raises(errors.BaseMissing):
            await host.open_pull_request(stage.proposal(base="gone"))
    assert stage.repository.pulls == []


async def test_a_branch_without_commits_is_refused(stage: Stage) -> None:
    git(stage.repository.folder, "branch", "same", "main")
    async with stage.host() as host:
        with pytest.raises(errors.NothingToPublish):
            await host.open_pull_request(stage.proposal(head="same"))


async def test_where_no_drafts_are_taken_nothing_else_is_opened(stage: Stage) -> None:
    stage.repository.takes_drafts = False
    await stage.pushed()
    async with stage.host() as host:
        with pytest.raises(errors.DraftsRefused, match="takes no drafts"):
            await host.open_pull_request(stage.proposal())
        assert stage.repository.pulls == []
        await host.open_pull_request(stage.proposal(draft=False))
    assert not stage.repository.pulls[0].draft


# before any work


@EACH_HOST
async def test_a_token_that_is_wrong_or_expired_is_refused_first(stage: Stage) -> None:
    stage.grant.expires = 0
    assert await stage.refused() == "token_invalid"
    assert len(stage.stub.requests) == 1


@EACH_HOST
async def test_a_token_without_scope_is_refused_first(stage: Stage) -> None:
    stage.grant.scopes = ("read_api",) if stage.kind == "gitlab" else ("read:user",)
    assert await stage.refused() == "token_lacks_scope"


async def test_so_is_a_fine_grained_one_that_may_push_and_not_open(stage: Stage) -> None:
    stage.grant.scopes, stage.grant.may = None, ("push",)
    assert await stage.refused() == "token_lacks_scope"
    stage.grant.may = ("push", "pull")
    async with stage.host() as host:
        await host.check_access(BRANCH, "main")
    assert stage.repository.pulls == [], "asking opened none"


async def test_a_token_for_public_repositories_does_not_do_for_a_private_one(stage: Stage) -> None:
    stage.grant.scopes = ("public_repo",)
    async with stage.host() as host:
        await host.check_access(BRANCH, "main")
    stage.repository.private = True
    assert await stage.refused() == "token_lacks_scope"


@EACH_HOST
async def test_who_may_not_push_is_refused_first(stage: Stage) -> None:
    stage.grant.user = "outsider"
    assert await stage.refused() == "no_push_rights"


@EACH_HOST
async def test_a_repository_that_cannot_be_seen_is_missing(stage: Stage) -> None:
    stage.repository.private, stage.grant.user = True, "outsider"
    assert await stage.refused() == "repository_missing"


@EACH_HOST
async def test_a_base_that_was_deleted_is_missing(stage: Stage) -> None:
    assert await stage.refused(base="gone/branch") == "base_missing"


@EACH_HOST
async def test_an_archived_repository_is_refused_first(stage: Stage) -> None:
    stage.repository.archived = True
    assert await stage.refused() == "repository_archived"


@pytest.mark.parametrize("kind", ["gitlab", "gitea"])
async def test_a_repository_without_pull_requests_is_refused_first(stage: Stage) -> None:
    stage.repository.takes_pulls = False
    assert await stage.refused() == "pull_requests_disabled"


@EACH_HOST
async def test_a_protected_branch_is_refused_first(stage: Stage) -> None:
    stage.repository.protect("handrail/*")
    if stage.kind == "gitea":
        # it shows its rules to administrators alone
        stage.grant.user = "ada"
    assert await stage.refused() == "branch_protected"


@EACH_HOST
async def test_a_host_that_sends_us_elsewhere_does_not_get_the_token_there(stage: Stage) -> None:
    stage.repository.moved_to = "elsewhere/shop"
    assert await stage.refused() == "repository_moved"
    with pytest.raises(errors.RepositoryMoved):
        await stage.pushed()
    assert not [line for line in stage.stub.requests if "elsewhere" in line]


@EACH_HOST
async def test_answers_that_are_no_api_are_a_host_that_is_away(stage: Stage) -> None:
    answers: list[object] = ["<html>", [], {"login": 7, "username": {}, "id": "x"}]
    for answer in answers:
        stage.stub.faults.append(Fault("GET", 200, {}, answer, times=9))
        assert await stage.refused() == "host_unavailable"
        stage.stub.faults.clear()


@EACH_HOST
async def test_a_host_that_never_answers_is_given_up(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "SECONDS", 0.2)
    stage.stub.faults.append(Fault("GET", silent=True, times=9))
    assert await stage.refused() == "host_unavailable"
    assert stage.pauses == [1, 2], "a question is asked three times"


async def test_so_is_one_that_never_takes_a_push(stage: Stage) -> None:
    stage.stub.faults.append(Fault("POST .*git-receive-pack", silent=True))
    hurried = RepositoryAccess(replace(LIMITS, seconds=2))
    with pytest.raises(errors.HostUnavailable, match="2 s"):
        await push(stage.folder, stage.evidence, stage.evidence, hurried, Token(stage.token))


# an App


@pytest.fixture(scope="module")
def app(stub: Faulty) -> App:
    key = generate_private_key(public_exponent=65537, key_size=2048)
    stub.app_key = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    return App("12", "77", key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode())


async def test_an_app_gets_a_token_of_its_own_for_api_and_git(stage: Stage, app: App) -> None:
    async with stage.host(app) as host:
        await host.check_access(BRANCH, "main")
        await push(stage.folder, stage.evidence, stage.evidence, ALLOWED, host.token)
        assert (await host.open_pull_request(stage.proposal())).fresh
    assert stage.repository.commit(BRANCH) == stage.evidence.head


async def test_an_app_reads_the_private_repositories_that_the_operator_names(
    stage: Stage, app: App, tmp_path: Path
) -> None:
    """With one token for all steps of a change."""
    stage.repository.private = True
    (tmp_path / "key.pem").write_text(app.key)
    given: dict[str, Any] = {
        "code_hosts": {"127.0.0.1": "github"},
        "git_private_hosts": ("127.0.0.1",),
        "github_app_id": app.app_id,
        "github_app_installation": app.installation_id,
        "github_app_key_file": tmp_path / "key.pem",
        "github_token": "of somebody else",
    }
    known = settings.load(**given, change_repositories=("127.0.0.1*/*",))
    before = stage.stub.minted
    options = [await hosting.reading(stage.evidence.repository, allowed_by(known), known) for _ in range(3)]
    assert stage.stub.minted == before + 1
    [(name, header)] = options[0].items()
    url = stage.evidence.repository
    assert "refs/heads/main" in git(tmp_path, "-c", f"{name}={header}", "ls-remote", url)
    unnamed = settings.load(**given)
    assert await hosting.reading(url, allowed_by(unnamed), unnamed) == {}


async def test_one_that_expires_in_the_middle_is_made_again(stage: Stage, app: App) -> None:
    async with stage.host(app) as host:
        first = host.token
        await push(stage.folder, stage.evidence, stage.evidence, ALLOWED, first)
        stage.stub.tokens[first.secret].expires = 0
        await host.open_pull_request(stage.proposal())
        assert host.token != first
    assert len(stage.repository.pulls) == 1


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"installation_id": "78"}, "token_invalid"),
        ({"app_id": "12", "key": "not a key"}, "token_invalid"),
    ],
)
async def test_an_app_that_is_not_installed_or_has_no_key_is_refused(
    stage: Stage, app: App, wrong: dict[str, str], code: str
) -> None:
    with pytest.raises(errors.NotPublished) as refused:
        async with stage.host(replace(app, **wrong)):
            pass
    assert refused.value.code == code and "not a key" not in refused.value.message


async def test_an_app_that_may_only_read_is_refused(stage: Stage, app: App) -> None:
    stage.stub.grants_of_app = {"contents": "read"}
    try:
        with pytest.raises(errors.TokenLacksScope, match="contents: write"):
            async with stage.host(app):
                pass
    finally:
        stage.stub.grants_of_app = {"contents": "write", "pull_requests": "write"}


# pushing


async def test_only_what_was_approved_is_pushed(stage: Stage) -> None:
    for lie in ({"head_tree": "1" * 40}, {"diff_sha256": "1" * 64}, {"commits": stage.evidence.commits[:1]}):
        other = replace(stage.evidence, **lie)
        with pytest.raises(errors.EvidenceMismatch):
            await push(stage.folder, other, other, ALLOWED, Token(stage.token))
    for name in ("diff_sha256", "series_sha256", "plan_digest", "outcome_digest"):
        approved = replace(stage.evidence, **{name: "0" * 64})
        with pytest.raises(errors.EvidenceMismatch, match="ask again"):
            await push(stage.folder, stage.evidence, approved, ALLOWED, Token(stage.token))
    assert stage.repository.commit(BRANCH) is None
    assert not [line for line in stage.stub.requests if "receive-pack" in line]


async def test_a_branch_with_another_commit_stays_as_it_is(stage: Stage) -> None:
    """Also where ours would only be ahead of it."""
    git(stage.repository.folder, "branch", BRANCH, "main")
    with pytest.raises(errors.BranchTaken, match="choose another name"):
        await stage.pushed()
    assert stage.repository.commit(BRANCH) == stage.evidence.base_commit


async def test_a_branch_that_somebody_makes_while_we_push_stays_as_it_is(stage: Stage) -> None:
    """It was not there when we looked."""
    kind = {"Content-Type": "application/x-git-upload-pack-result"}
    stage.stub.faults.append(Fault("POST .*git-upload-pack", 200, kind, content=b"0000"))
    git(stage.repository.folder, "branch", BRANCH, "main")
    with pytest.raises(errors.BranchTaken):
        await stage.pushed()
    assert stage.repository.commit(BRANCH) == stage.evidence.base_commit


async def test_a_push_whose_answer_is_lost_is_done(stage: Stage) -> None:
    stage.stub.faults.append(Fault("POST .*git-receive-pack", 502, after=True))
    assert await stage.pushed() == PushedBranch(BRANCH, stage.evidence.head, fresh=True)


async def test_a_push_that_fails_before_the_effect_is_unavailable(stage: Stage) -> None:
    stage.stub.faults.append(Fault("POST .*git-receive-pack", 502))
    with pytest.raises(errors.HostUnavailable):
        await stage.pushed()


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        ({}, "branch_protected"),
        ({"expires": 0.0}, "token_invalid"),
        ({"user": "outsider"}, "no_push_rights"),
        ({"scopes": ("read:user",)}, "no_push_rights"),
    ],
    ids=["protected", "expired", "outsider", "scope"],
)
async def test_what_the_host_says_of_a_push_has_a_code(stage: Stage, spoil: dict[str, object], code: str) -> None:
    stage.stub.tokens[stage.token] = replace(stage.grant, **spoil)
    stage.repository.protect(*([] if spoil else ["handrail/*"]))
    with pytest.raises(errors.NotPublished) as refused:
        await stage.pushed()
    assert refused.value.code == code
    assert stage.token not in refused.value.message


async def test_a_shallow_copy_can_be_pushed_from(stage: Stage, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", "--depth=3", "--branch", BRANCH, f"file://{stage.folder}", "shallow")
    pushed = await push(tmp_path / "shallow", stage.evidence, stage.evidence, ALLOWED, Token(stage.token))
    assert pushed.fresh


async def test_what_the_repository_has_in_its_settings_has_no_say_in_a_push(stage: Stage, tmp_path: Path) -> None:
    """Code of the repository may have written there: another address, a helper that learns the token, a hook."""
    git(tmp_path, "clone", "--quiet", "--branch", BRANCH, str(stage.folder), "evil")
    evil = tmp_path / "evil"
    ran = tmp_path / "ran"
    git(evil, "config", "url.http://127.0.0.1:9/.pushInsteadOf", f"{stage.stub.url}/")
    git(evil, "config", "url.http://127.0.0.1:9/.insteadOf", f"{stage.stub.url}/")
    git(evil, "config", "credential.helper", f"!touch {ran}; cat >&2")
    git(evil, "config", "http.proxy", "http://127.0.0.1:9")
    git(evil, "config", "core.sshCommand", f"touch {ran}")
    hook = evil / ".git" / "hooks" / "pre-push"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\nexit 1\n")
    hook.chmod(0o755)
    pushed = await push(evil, stage.evidence, stage.evidence, ALLOWED, Token(stage.token))
    assert pushed.fresh and not ran.exists()


@pytest.mark.parametrize("address", ["https://127.0.0.1/team/shop", "https://169.254.169.254/x/y", "https://[::1]/x/y"])
async def test_a_private_address_that_nobody_allowed_gets_no_token(stage: Stage, address: str) -> None:
    strict = CloneLimits(seconds=5)
    with pytest.raises(errors.AddressRefused):
        async with reached(
            address,
            {"127.0.0.1": "gitea", "169.254.169.254": "gitea", "[::1]": "gitea"},
            Token(stage.token),
            strict,
        ):
            pass
    evidence = replace(stage.evidence, repository=address)
    with pytest.raises(errors.AddressRefused):
        await push(stage.folder, evidence, evidence, RepositoryAccess(strict), Token(stage.token))


async def test_the_token_is_in_no_command_line_address_or_file(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A `git` before the real one writes down what it is called with."""
    told = tmp_path / "told"
    wrapper = tmp_path / "bin" / "git"
    wrapper.parent.mkdir()
    real = shutil.which("git")
    assert real is not None
    wrapper.write_text(f'#!/bin/sh\necho "$@" >> {told}\nexec {real} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wrapper.parent}:{os.environ['PATH']}")
    await stage.pushed()
    token = Token(stage.token)
    said = told.read_text()
    assert " push " in said
    for form in (token.secret, token.basic().removeprefix("Basic ")):
        assert form not in said
    assert stage.token not in "".join(stage.stub.requests)
    assert token.basic() in stage.stub.seen, "and yet it arrived"
    assert stage.token not in repr(token)


# which host


@pytest.mark.parametrize(
    ("address", "kind", "base"),
    [
        ("https://github.com/o/r", "github", "https://api.github.com/"),
        ("git@github.com:o/r.git", "github", "https://api.github.com/"),
        ("https://gitlab.com/g/s/r.git", "gitlab", "https://gitlab.com/api/v4/"),
        ("https://codeberg.org/o/r", "gitea", "https://codeberg.org/api/v1/"),
        ("ssh://git@git.example.org:2222/o/r", "gitea", "https://git.example.org/api/v1/"),
        ("https://ghe.example.org:8443/o/r", "github", "https://ghe.example.org:8443/api/v3/"),
    ],
)
def test_the_host_follows_from_the_address_and_the_settings(address: str, kind: Kind, base: str) -> None:
    hosts: dict[str, Kind] = {"git.example.org": "gitea", "ghe.example.org": "github"}
    assert kind_of(address, hosts) == kind
    assert api_of(address, kind) == base


def test_a_host_that_nobody_named_is_unknown() -> None:
    for address in ("https://example.org/o/r", "https://github.com.evil.example/o/r", "/home/ada/shop"):
        with pytest.raises(errors.HostUnknown, match="HANDRAIL_CODE_HOSTS"):
            kind_of(address, {})


def test_each_host_gets_the_token_that_is_meant_for_it() -> None:
    hosts: dict[str, Kind] = {"git.example.org": "gitea"}
    tokens: dict[Kind, str | None] = {"github": "for-github", "gitea": "for-gitea", "gitlab": None}
    assert token_for("https://git.example.org/o/r", hosts, tokens).secret == "for-gitea"
    assert token_for("git@github.com:o/r", hosts, tokens).secret == "for-github"
    with pytest.raises(errors.TokenMissing, match="GITLAB_TOKEN"):
        token_for("https://gitlab.com/o/r", hosts, tokens)
