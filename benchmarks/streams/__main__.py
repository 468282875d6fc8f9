"""`python -m benchmarks.streams` prints the figures as JSON."""

import json

from . import run

print(json.dumps({name: round(value, 2) for name, value in run().items()}, indent=2))
