"""Notifications as signed HTTP requests."""
