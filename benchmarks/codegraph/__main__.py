"""`python -m benchmarks.codegraph [PACKAGE…]`: the figures of the code graph as JSON."""

import json
import sys

from benchmarks.codegraph import run

if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1:]), indent=2))
