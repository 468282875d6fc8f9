"""Use cases on identity: principals, tokens, browser sessions; one transaction each."""
