"""The model's tools on files: they find the one place that is meant, or refuse and say what would help."""
