"""Parse, index, resolve and query a repository: a separate library (start at `index.build` and `graph.Graph`)."""
