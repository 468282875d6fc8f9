"""The one way to say no without an answer of the server."""

from __future__ import annotations


class Stop(Exception):
    """The call must not run. The message is for the model and the person: it goes to stderr, with exit 2."""
