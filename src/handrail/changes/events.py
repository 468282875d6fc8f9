"""What happens in a code change."""

from __future__ import annotations

from typing import Literal, cast

from handrail.core.canonical import JsonObject
from handrail.core.events import Event, Maybe, event
from handrail.core.parts import FileChange, Note, Part, Progress, Stage, TestResult
from handrail.core.wording import counted

# as people read them
STAGES = {
    "intent_extraction": "reading the request",
    "pkg_query": "looking at the code",
    "impact_analysis": "weighing the plan",
    "planning": "planning",
    "editing": "editing",
    "testing": "testing",
    "verification": "verifying",
    "pr_creation": "preparing to publish",
}


@event("change.stage_began")
class ChangeStageBegan(Event):
    """a stage of a code change began: `intent_extraction`, `pkg_query`, `impact_analysis`, `planning`, `editing`,
    `testing`, `verification` or `pr_creation`; `prompt` is what its model is told, with its version: `edit 1`"""

    stage: str
    attempt: Maybe[int] = None
    prompt: Maybe[str] = None

    def part(self) -> Part:
        return Stage(name=STAGES[self.stage])


@event("change.understood")
class ChangeUnderstood(Event):
    """what the request wants"""

    intent: JsonObject

    def part(self) -> Part:
        return Note(text=f"Understood: {self.intent.get('description')}")


@event("change.mapped")
class ChangeMapped(Event):
    """modules of the repository that have to do with the request; `total` is how many there are"""

    modules: tuple[str, ...]
    total: int
    skipped: int

    def part(self) -> Part:
        found = ", ".join(self.modules[:5]) or "no module by name"
        more = f" and {len(self.modules) - 5} more" if len(self.modules) > 5 else ""
        return Note(text=f"It is about {found}{more} (of {counted(self.total, 'module')})")


@event("change.weighed")
class ChangeWeighed(Event):
    """what the change reaches, and how risky that is"""

    impact: JsonObject

    def part(self) -> Part:
        facts = self.impact.get("facts")
        known = cast("dict[str, int]", facts) if isinstance(facts, dict) else {}
        files, endpoints = counted(known.get("files", 0), "file"), counted(known.get("endpoints", 0), "endpoint")
        return Note(text=f"It changes {files} and reaches {endpoints}; risk score {known.get('risk_score', 0)} of 100")


@event("change.planned")
class ChangePlanned(Event):
    """the plan that people are asked about; `digest` is what an approval is bound to"""

    plan: JsonObject
    digest: str

    def part(self) -> Part:
        return Note(text=f"The plan was approved: {self.plan.get('kind')}: {self.plan.get('title')}")


@event("change.edited")
class ChangeEdited(Event):
    """a file was edited; `hash` is that of its new content, none where it is gone"""

    path: str
    hash: str | None
    diff: str
    truncated: Maybe[bool] = None

    def part(self) -> Part:
        return FileChange(path=self.path, diff=self.diff)


@event("change.diffed")
class ChangeDiffed(Event):
    """all that differs from the base, file by file, before it is tested; of what is too long to show, only the names"""

    files: tuple[JsonObject, ...]
    added: int
    deleted: int

    def part(self) -> Part:
        return Note(text=f"The change so far: {counted(len(self.files), 'file')}, +{self.added} −{self.deleted}")


@event("change.refused")
class ChangeRefused(Event):
    """a call of the model was refused and nothing was changed, such as one outside the plan"""

    tool: str
    code: str
    message: str

    def part(self) -> Part:
        return Note(text=f"{self.tool} was refused ({self.code}): {self.message.splitlines()[0]}")


@event("change.prepared")
class ChangePrepared(Event):
    """the repository's dependencies are there; `fetched` is false where an earlier change had prepared them"""

    environment: JsonObject
    fetched: bool

    def part(self) -> Part:
        return Note(text=f"Dependencies are prepared: {self.environment.get('manager')}")


@event("change.tested")
class ChangeTested(Event):
    """one test ended; `tree` is `base` or `head`"""

    tree: str
    tool: str
    test: str
    outcome: str
    seconds: float | None
    message: Maybe[str] = None

    def part(self) -> Part:
        side = "" if self.tree == "head" else f" ({self.tree})"
        known: dict[str, Literal["passed", "failed", "skipped"]] = {"passed": "passed", "skipped": "skipped"}
        outcome = known.get(self.outcome, "failed")
        return TestResult(name=f"{self.test}{side}", outcome=outcome, seconds=self.seconds, message=self.message)


@event("change.checked")
class ChangeChecked(Event):
    """a test runner, linter or type checker ended; `output` is the end of what it printed about the change"""

    tree: str
    tool: str
    outcome: str
    summary: JsonObject
    output: Maybe[str] = None

    def part(self) -> Part:
        if self.summary.get("fault"):
            return Note(text=f"{self.tool} on the {self.tree} gave no result: {self.summary['fault']}")
        tests, broken, findings = (cast("int", self.summary.get(name) or 0) for name in ("tests", "broken", "findings"))
        counts = [counted(tests, "test")] if tests else []
        counts += [f"{broken} broken"] if broken else []
        counts += [counted(findings, "finding")] if findings else []
        earlier = ", known from an earlier run" if self.summary.get("kept") else ""
        return Progress(message=f"{self.tool} on the {self.tree}: {', '.join(counts) or 'nothing found'}{earlier}")


@event("change.verified")
class ChangeVerified(Event):
    """the gates that a change must pass, compared with the base commit"""

    verification: JsonObject

    def part(self) -> Part:
        return Note(text=f"Verified: {self.verification.get('words')}")


@event("change.rebased")
class ChangeRebased(Event):
    """the base branch has moved, and the change with it; both fields are commits"""

    branch: str
    from_: str
    to: str

    def part(self) -> Part:
        return Note(text=f"{self.branch} has moved to {self.to[:12]}; the change is checked again upon it")


@event("change.approval_kept")
class ChangeApprovalKept(Event):
    """the base branch moved after people had approved the change; upon its new commit the diff and the results of all
    checks are the same, so `commit` is published under their approval"""

    hold_id: str
    from_: str
    to: str
    commit: str
    diff_sha256: str
    verified: str

    def part(self) -> Part:
        return Note(text=f"The change is the same upon {self.to[:12]}, so its approval stands. {self.verified}".strip())


@event("change.committed")
class ChangeCommitted(Event):
    """commits on the change's branch"""

    branch: str
    commit: str
    messages: tuple[str, ...]

    def part(self) -> Part:
        return Note(text=f"Committed to {self.branch}: {'; '.join(self.messages)}")


@event("change.published")
class ChangePublished(Event):
    """a pull request was opened, or the branch and the patch are there"""

    branch: str
    commit: str
    url: str | None

    def part(self) -> Part:
        return Note(text=f"Published {self.branch}" + (f": {self.url}" if self.url else ""))


@event("change.answered")
class ChangeAnswered(Event):
    """a question about the code was answered; a diagram is in a fence of `mermaid`"""

    content: str

    def part(self) -> Part:
        return Note(text=self.content)
