"""Linters and type checkers: one module each, all to one form."""
