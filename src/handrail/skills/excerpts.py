"""As much of a text as a model is shown at once."""

from __future__ import annotations

from handrail.core.errors import InvalidField

# characters, some 2,000 tokens
SHOWN = 8_000


def cut(text: str) -> str:
    """Beginning and end: errors stand last."""
    if len(text) <= SHOWN:
        return text
    half = SHOWN // 2
    return f"{text[:half]}\n… {len(text) - SHOWN} characters left out …\n{text[-half:]}"


def page(path: str, content: bytes, offset: int) -> str:
    try:
        text = content.decode()
    except UnicodeDecodeError:
        raise InvalidField(f"{path} is not text: it has {len(content)} bytes", field="path") from None
    found = text[offset : offset + SHOWN]
    left = len(text) - offset - len(found)
    return f"{found}\n… {left} more characters: continue with offset={offset + len(found)}" if left > 0 else found
