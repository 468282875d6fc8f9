"""Slack, both ways: messages that stay true, and clicks by people whose account is linked."""
