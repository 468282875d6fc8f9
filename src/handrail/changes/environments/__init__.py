"""What a repository needs before its tests can run: found out from its files, and prepared once."""
