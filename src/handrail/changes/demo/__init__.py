"""A code change to look at without a model or a repository of one's own: a small shop, and a model with a script."""
