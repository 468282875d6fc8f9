"""`python -m handrail_mcp wrap|gateway|serve`."""

from handrail_mcp.main import run

run()
