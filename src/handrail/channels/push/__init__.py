"""Notifications on people's own devices, by web push."""
