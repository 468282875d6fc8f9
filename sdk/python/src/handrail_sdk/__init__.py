"""Handrail for agents: open a hold, wait for the decision, redeem it once."""
