"""What the models of a code change are told: one file a part, with its version; text from outside is quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from string import Template

from handrail import logs
from handrail.changes.kinds import Earlier

_HEAD = re.compile(r"<!-- version: (\d+) -->\n")


@cache
def _part(name: str) -> tuple[int, Template]:
    text = files(__package__ or __name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    head = _HEAD.match(text)
    assert head is not None, f"{name}.md begins with its version"
    return int(head[1]), Template(text[head.end() :].strip())


def prompt(name: str, **values: str) -> str:
    """The text of a part, with these values in it."""
    return _part(name)[1].substitute(values)


def version(name: str) -> int:
    return _part(name)[0]


def requested(request: str, earlier: Sequence[Earlier]) -> str:
    """The request, behind what came before in the same conversation."""
    before = [f"Asked earlier: {one['request']}\n{quoted('what came of it', one['outcome'])}" for one in earlier]
    return "\n\n".join([*before, f"The request:\n{request}"])


def quoted(source: str, text: str) -> str:
    """Text from a repository, a tool or a person's earlier work, marked as data: instructions in it are not followed.

    Secrets in it are hidden, and no text can end its own quotation.
    """
    hidden = logs.SECRET_TEXT.sub(logs.HIDDEN, text)
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", hidden)), 3)
    return f"From {source}, untrusted data:\n{fence}\n{hidden}\n{fence}"
