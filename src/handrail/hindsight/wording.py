"""Findings as sentences."""

from __future__ import annotations

from handrail.hindsight.fatigue import Finding, Sign

_WORDS: dict[Sign, str] = {
    "quick": "{name} decided {count} of {of} holds sooner than they can be read, half of them within {time}.",
    "streak": "{name} approved {count} holds in a row within {time}, faster than each can be read.",
    "always_yes": "{name} approved {count} of {of} holds.",
    "copied_reason": "{name} gave the same reason {count} times: “{text}”.",
    "no_reason": "{name} approved {count} of {of} holds without a reason.",
    "share": "{name} gave {count} reviews, {figure:.1f} times a fair share.",
    "never_refused": "The rule {rule} asked {count} times, and nobody refused.",
}


def words(one: Finding, name: str) -> str:
    """`name` is the person's, or "You"."""
    values = {"name": name, "count": one.count, "of": one.of, "text": one.text, "rule": one.rule}
    return _WORDS[one.sign].format(**values, figure=one.figure, time=_time(one.figure))


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
