"""Runs a repository's own tests, linters and type checkers in the sandbox, and says what a change did to them."""
