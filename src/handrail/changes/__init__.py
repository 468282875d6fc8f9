"""The code-change system: from a sentence to a change that people can trust."""
