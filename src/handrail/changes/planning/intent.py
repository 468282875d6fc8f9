"""What a request wants: a change, an answer or a diagram; and what must be asked before anyone can tell."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Sentence = Annotated[str, Field(min_length=1, max_length=500)]
Category = Literal["code_change", "question", "diagram"]


class _Value(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Unclear(_Value):
    """Something that the request leaves open and that cannot be found in the repository."""

    question: Sentence
    about: str = Field(default="", max_length=200, description="The name in the code that it is about, if there is one")
    choices: Annotated[tuple[Sentence, ...], Field(max_length=10)] = Field(
        default=(), description="Answers that are possible"
    )


class Intent(_Value):
    """What the request wants."""

    category: Category
    intent: Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z0-9_]+$")] = Field(
        description="A short name such as fix_bug, add_feature, explain_code"
    )
    description: Annotated[str, Field(min_length=1, max_length=2_000)] = Field(
        description="The request in your words, complete and without names of people"
    )
    risk: Literal["low", "medium", "high", "critical"] = Field(description="How much could go wrong, in your opinion")
    tests_required: bool
    human_approval: bool = Field(description="Whether the request itself asks for a person's approval")
    constraints: Annotated[tuple[Sentence, ...], Field(max_length=20)] = Field(
        default=(), description="What the request rules out or demands"
    )
    names: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=20)] = Field(
        default=(), description="Modules, symbols, files or endpoints that it mentions, as written"
    )
    unclear: Annotated[tuple[Unclear, ...], Field(max_length=3)] = Field(
        default=(), description="Only what you cannot decide without asking: never guess"
    )

    def as_data(self) -> dict[str, Any]:
        return self.model_dump(mode="json")
