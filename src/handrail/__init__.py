"""Handrail: the human-in-the-loop runtime for AI agents."""
