"""The stages of a code change, one file each: nodes of its graph."""
