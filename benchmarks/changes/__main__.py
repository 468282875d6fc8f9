"""`python -m benchmarks.changes` prints the figures as JSON."""

import json

from . import run

print(json.dumps(run(), indent=2))
