"""Use cases on identity: principals, tokens, sign-ins; one transaction each."""
