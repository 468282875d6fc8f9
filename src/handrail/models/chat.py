"""Makes chat models: any provider of LangChain. Apart from the tiers, since LangChain takes a second to import."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast

from langchain.chat_models import init_chat_model
from langchain_core.language_models.chat_models import BaseChatModel

from handrail.core.errors import Misconfigured
from handrail.models.providers import connection, provided
from handrail.models.scripted import ScriptedModel
from handrail.models.tiers import check, names
from handrail.settings import PREFIX, Settings

# a provider's own client repeats what failed, with back-off and by the server's Retry-After
ATTEMPTS_AGAIN = 4
SECONDS_PER_ANSWER = 120.0

Part = Literal["plan", "edit", "summary"]


def chat_model(settings: Settings, name: str) -> BaseChatModel:
    """The model of a tier, or one by the name that it is configured under; `InvalidField` names the choices."""
    configured = names(settings)
    if not configured:
        raise Misconfigured("no model is configured: set HANDRAIL_MODEL_LIGHT and HANDRAIL_MODEL_ADVANCED")
    check(settings, name)
    # with one model, it serves both tiers
    tier = next((tier for tier, model in configured.items() if name in (tier, model)), next(iter(configured)))
    return _made(settings, f"model_{tier}")


def change_model(settings: Settings, part: Part) -> BaseChatModel:
    """The model of a part of a code change."""
    named = next((each for each in (f"model_{part}", "llm_model") if getattr(settings, each)), None)
    if named is None and not names(settings):
        raise Misconfigured("no model is configured for code changes: set HANDRAIL_LLM_MODEL")
    return _made(settings, named) if named else chat_model(settings, "light" if part == "summary" else "advanced")


def _made(settings: Settings, setting: str) -> BaseChatModel:
    """The model that a setting names."""
    name: str = getattr(settings, setting)
    provider, _, rest = name.partition(":")
    if provider == "scripted":
        return ScriptedModel.from_file(Path(rest))
    options = connection(settings) | {"max_retries": ATTEMPTS_AGAIN, "timeout": SECONDS_PER_ANSWER}
    if provider == "openai":
        # servers that speak its protocol count tokens of a stream only when asked
        options["stream_usage"] = True
    made: Callable[..., BaseChatModel] = cast("Any", init_chat_model)
    return provided(f"{PREFIX}{setting.upper()}", name, lambda: made(name, **options))
