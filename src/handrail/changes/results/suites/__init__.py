"""Test runners: one module each, all to one form."""
