"""The domain, pure: no I/O and no clock. Time arrives as an argument."""
