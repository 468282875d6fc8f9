"""Test runners: one file for each family. What applies to a tree, how it is called, what is said as it runs."""
