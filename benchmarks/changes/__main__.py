"""`python -m benchmarks.changes` prints the figures as JSON; with names of projects, those of the attempts in them."""

import json
import sys

from . import played, run

if __name__ == "__main__":
    print(json.dumps(played(sys.argv[1:]) if sys.argv[1:] else run(), indent=2))
