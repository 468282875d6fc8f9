"""Sessions and registrations of skills, as the engine runs them."""
# annotations are read when the schema is made, so they are not postponed

from datetime import timedelta
from typing import Annotated, Any, Final, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from handrail.core import errors, sessions
from handrail.core.holds import Origin
from handrail.core.skills import SANDBOX_TOOLS
from handrail.engine.kinds import Admission, Kind, Kinds, Owner
from handrail.settings import Settings

REGISTRATION: Final = "register_skills"
MOST_STEPS: Final = 1000
MODELS: Final = ("model_key",)

Text = Annotated[str, Field(min_length=1, max_length=2000)]


class SkillInput(TypedDict):
    skill_id: str
    input: Annotated[str, Field(min_length=1)]
    version: NotRequired[str | None]
    model_id: NotRequired[str | None]
    max_steps: NotRequired[Annotated[int, Field(ge=1, le=MOST_STEPS)]]


class RegistrationInput(TypedDict):
    """One of them: a repository, a folder of the server, or a skill in force whose source is to be looked at again."""

    url: NotRequired[Text]
    folder: NotRequired[Text]
    skill: NotRequired[Text]


def kinds(settings: Settings) -> Kinds:
    return Kinds(
        (
            Kind(
                sessions.WORKFLOW,
                _session,
                "Runs a registered skill.",
                input=SkillInput,
                owner=Owner.ours,
                admission=Admission(
                    errors.TooManySessions,
                    "sessions",
                    most=settings.max_sessions,
                    each=settings.max_sessions_per_principal,
                ),
                idle=timedelta(seconds=settings.session_idle_seconds),
                final=errors.SessionFinal,
                origin=_origin,
                secrets=MODELS,
            ),
            Kind(
                REGISTRATION,
                _registration,
                "Finds the skills in a repository or folder, scans each, and asks people to approve them.",
                input=RegistrationInput,
                owner=Owner.ours,
                secrets=MODELS,
            ),
        )
    )


def _session(_settings: Settings) -> Any:
    from handrail.skills import workflow

    return workflow.graph()


def _registration(_settings: Settings) -> Any:
    from handrail.skills import registration_flow

    return registration_flow.graph()


def _origin(action: str) -> Origin | None:
    return "skill_sandbox" if action in SANDBOX_TOOLS else None
