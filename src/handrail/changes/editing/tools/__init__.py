"""One module a tool: what a model may do with a tree's files. Tools that edit say what would happen; `desk` does it."""
