"""Tokens: what is shown of them is nothing, and what others say is searched for them before it is repeated."""

from __future__ import annotations

import unicodedata
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import quote

LONGEST_SAID = 300


@dataclass(frozen=True, slots=True)
class Token:
    """`user` is what git sends with it; no host cares."""

    secret: str = field(repr=False)
    user: str = "x-access-token"

    def basic(self) -> str:
        """What git and browsers send."""
        return "Basic " + b64encode(f"{self.user}:{self.secret}".encode()).decode()

    def for_git(self, url: str) -> dict[str, str]:
        """The option, for `Git` to hide, by which git sends it to that host alone."""
        origin = "/".join(url.split("/", 3)[:3])
        return {f"http.{origin}/.extraHeader": f"Authorization: {self.basic()}"}

    def hidden(self, text: str) -> str:
        """The text on one line, shortened, without the token in any of the forms that we send it in."""
        for form in (self.secret, self.basic().removeprefix("Basic "), quote(self.secret, safe="")):
            text = text.replace(form, "…") if form else text
        line = " ".join("".join(c if unicodedata.category(c)[0] != "C" else " " for c in text).split())
        return line if len(line) <= LONGEST_SAID else line[:LONGEST_SAID] + "…"
