"""Workflows that come with Handrail and belong to no larger system: the code graph and the demos."""
