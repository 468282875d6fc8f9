"""From a request to a plan: what is wanted, and which tasks on which files lead there."""
