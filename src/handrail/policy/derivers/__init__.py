"""What names, commands, queries and addresses mean, read from their form. Pure: no clock and no I/O; never raises.

Only what is provably a plain read is called one: whatever a parser does not see through is marked `unclear`.
"""
