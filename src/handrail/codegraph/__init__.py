"""Parse, index, resolve and query a repository: a library of its own (start at `index.build` and `graph.Graph`)."""
