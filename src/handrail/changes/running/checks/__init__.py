"""Linters and type checkers: which apply to a tree, and how they are called."""
