"""Handrail in front of the tools of agent frameworks: one gate, and a few lines for each framework."""

from .gating import Allowed, Refused, ToolGate

__all__ = ["Allowed", "Refused", "ToolGate"]
