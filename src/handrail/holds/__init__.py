"""Use cases on holds and the people around them: one command, one transaction."""
