"""Workflows that come with Handrail."""
