"""`python -m handrail_hook AGENT CONFIG`."""

from .main import run

run()
