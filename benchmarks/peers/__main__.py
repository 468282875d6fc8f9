"""`python -m benchmarks.peers` prints the figures as JSON."""

import json

from . import run

print(json.dumps(run(), indent=2))
