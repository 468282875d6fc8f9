"""What happens in a code change."""

from __future__ import annotations

from handrail.core.canonical import JsonObject
from handrail.core.events import Event, Maybe, event


@event("change.stage_began")
class ChangeStageBegan(Event):
    """a stage of a code change began: `intent_extraction`, `pkg_query`, `impact_analysis`, `planning`, `editing`,
    `testing`, `verification` or `pr_creation`"""

    stage: str
    attempt: Maybe[int] = None


@event("change.understood")
class ChangeUnderstood(Event):
    """what the request wants"""

    intent: JsonObject


@event("change.mapped")
class ChangeMapped(Event):
    """modules of the repository that have to do with the request; `total` is how many there are"""

    modules: tuple[str, ...]
    total: int
    skipped: int


@event("change.weighed")
class ChangeWeighed(Event):
    """what the change reaches, and how risky that is"""

    impact: JsonObject


@event("change.planned")
class ChangePlanned(Event):
    """the plan that people are asked about; `digest` is what an approval is bound to"""

    plan: JsonObject
    digest: str


@event("change.edited")
class ChangeEdited(Event):
    """a file was edited; `hash` is that of its new content, none where it is gone"""

    path: str
    hash: str | None
    diff: str
    truncated: Maybe[bool] = None


@event("change.refused")
class ChangeRefused(Event):
    """a call of the model was refused and nothing was changed, such as one outside the plan"""

    tool: str
    code: str
    message: str


@event("change.prepared")
class ChangePrepared(Event):
    """the repository's dependencies are there; `fetched` is false where an earlier change had prepared them"""

    environment: JsonObject
    fetched: bool


@event("change.tested")
class ChangeTested(Event):
    """one test ended; `tree` is `base` or `head`"""

    tree: str
    tool: str
    test: str
    outcome: str
    seconds: float | None
    message: Maybe[str] = None


@event("change.checked")
class ChangeChecked(Event):
    """a test runner, linter or type checker ended"""

    tree: str
    tool: str
    outcome: str
    summary: JsonObject


@event("change.verified")
class ChangeVerified(Event):
    """the gates that a change must pass, compared with the base commit"""

    verification: JsonObject


@event("change.committed")
class ChangeCommitted(Event):
    """commits on the change's branch"""

    branch: str
    commit: str
    messages: tuple[str, ...]


@event("change.published")
class ChangePublished(Event):
    """a pull request was opened, or the branch and the patch are there"""

    branch: str
    commit: str
    url: str | None


@event("change.answered")
class ChangeAnswered(Event):
    """a question about the code was answered; a diagram is in a fence of `mermaid`"""

    content: str
