"""Code changes, as the engine runs them."""
# annotations are read when the schema is made, so they are not postponed

from typing import Annotated, Any, Final, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from handrail import extras
from handrail.core import errors
from handrail.core.holds import Origin
from handrail.engine.kinds import Admission, Kind, Kinds, Owner
from handrail.settings import Settings

CHANGE: Final = "change"
DEMO: Final = "demo-change"
DEMO_REQUEST: Final = "Prices like 19.99 lose a cent in the cart. Round them properly, and prove it with a test."
SECRETS: Final = ("model_key", "github_token", "gitlab_token", "gitea_token")

CHANGES: Final = (CHANGE, DEMO)
MOST_EARLIER: Final = 10

Name = Annotated[str, Field(min_length=1, max_length=200)]


class Earlier(TypedDict):
    """A change that came before in the same conversation: its run, what it was asked for, and what it came to."""

    change: Annotated[str, Field(max_length=50)]
    request: Annotated[str, Field(max_length=20_000)]
    outcome: Annotated[str, Field(max_length=20_000)]


class ChangeInput(TypedDict):
    """A request in words, and the repository that it is about: an https or ssh address, or a folder of the server."""

    request: Annotated[str, Field(min_length=1, max_length=20_000)]
    repo_url: Annotated[str, Field(min_length=1, max_length=2_000)]
    base_branch: NotRequired[Name]
    draft: NotRequired[bool]
    labels: NotRequired[Annotated[list[Name], Field(max_length=20)]]
    reviewers: NotRequired[Annotated[list[Name], Field(max_length=20)]]
    # oldest first
    earlier: NotRequired[Annotated[list[Earlier], Field(max_length=MOST_EARLIER)]]


def kinds(settings: Settings) -> Kinds:
    # a key that cannot be read stops the start, and not the first change
    settings.github_app_key()
    admission = Admission(errors.TooManyChanges, "code changes", most=settings.max_changes, each=settings.changes_each)
    return Kinds(
        (
            Kind(
                CHANGE,
                _graph,
                "A code change: planned, edited, tested and verified, and published once people have approved it.",
                example={
                    "request": "Round prices to the nearest cent.",
                    "repo_url": "https://github.com/pallets/flask",
                },
                input=ChangeInput,
                owner=Owner.ours,
                admission=admission,
                seconds=settings.agent_timeout,
                origin=_origin,
                secrets=SECRETS,
            ),
            Kind(
                DEMO,
                _graph,
                "Demo: a code change in a small made-up shop, with a model that follows a script.",
                example={"request": DEMO_REQUEST, "repo_url": "lamp-shop"},
                input=ChangeInput,
                owner=Owner.ours,
                admission=admission,
                seconds=settings.agent_timeout,
                origin=_origin,
            ),
        )
    )


def _graph(_settings: Settings) -> Any:
    extras.require("code")
    from handrail.changes import workflow

    return workflow.graph()


def _origin(action: str) -> Origin | None:
    return "change" if action.startswith("change.") else None
