"""Runs what is not trusted: without network, on a private copy of files, within limits, and never outside a sandbox."""

from handrail.sandbox.choosing import choose
from handrail.sandbox.limits import Limits
from handrail.sandbox.listening import Line, Listen
from handrail.sandbox.places import Bind, Place
from handrail.sandbox.reaching import Reach
from handrail.sandbox.running import Ending, Files, Hear, Result, Sandbox

__all__ = [
    "Bind",
    "Ending",
    "Files",
    "Hear",
    "Limits",
    "Line",
    "Listen",
    "Place",
    "Reach",
    "Result",
    "Sandbox",
    "choose",
]
