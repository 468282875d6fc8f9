"""From the facts of single files to what they mean together. Knows no language: each brings its `Resolver`."""
