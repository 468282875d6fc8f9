"""`python -m benchmarks.scale` prints the figures as JSON."""

import json

from . import run

print(json.dumps(run(), indent=2, default=lambda value: round(value, 3)))
