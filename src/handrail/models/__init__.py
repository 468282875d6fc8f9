"""Chat models: which one answers, and the scripted one of demos and tests."""
