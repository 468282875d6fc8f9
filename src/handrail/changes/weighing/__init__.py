"""How far a change reaches, and how much is at stake, from the graph of the code."""
