"""A process that uses the embedded server of a data folder until its input ends: prints the DSN, or the error."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from handrail.core.errors import HandrailError
from handrail.store.embedded import running


async def main() -> None:
    async with running(Path(sys.argv[1])) as dsn:
        print(dsn, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


try:
    asyncio.run(main())
except HandrailError as error:
    sys.exit(error.message)
except KeyboardInterrupt:
    pass
