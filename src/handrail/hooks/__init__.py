"""Coding agents by their own hooks: a tool call becomes an action, and the decision an answer in the agent's words."""
