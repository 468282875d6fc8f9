"""What tests, linters and type checkers said, in one form, and what of it is new."""
