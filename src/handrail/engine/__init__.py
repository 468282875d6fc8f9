"""Use cases on runs: the registry of workflows, the LangGraph driver, workers."""
