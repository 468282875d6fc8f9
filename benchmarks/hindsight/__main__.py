"""`python -m benchmarks.hindsight` prints the figures as JSON."""

import json

from . import run

print(json.dumps({name: round(value, 3) for name, value in run().items()}, indent=2))
