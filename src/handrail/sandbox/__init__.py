"""Runs what is not trusted: without network, on a private copy of files, within limits, and never outside a sandbox."""

from handrail.sandbox.choosing import choose
from handrail.sandbox.limits import Limits
from handrail.sandbox.running import Ending, Files, Hear, Result, Sandbox

__all__ = ["Ending", "Files", "Hear", "Limits", "Result", "Sandbox", "choose"]
