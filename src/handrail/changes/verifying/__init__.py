"""Whether a change can be trusted, from what can be counted: no model has a say in it."""
