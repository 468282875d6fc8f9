"""Notifications as mail."""
