"""Linear: an issue for each hold, whose comments are the hold's conversation. Nothing is decided there."""
