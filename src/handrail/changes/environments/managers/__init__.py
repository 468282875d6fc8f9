"""Package managers: one file for each language, all to one form."""
