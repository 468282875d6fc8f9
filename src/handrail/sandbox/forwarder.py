"""Runs inside a sandbox that may reach named hosts: brings what programs send to their proxy to the socket outside.

It is handed to the sandbox's Python as text. It decides nothing: who may be reached is checked outside, where the
command cannot get at it.
"""

from __future__ import annotations

import asyncio
import sys


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
    except OSError:
        # a connection that broke off on one side must not seem open on the other
        writer.close()


async def bring(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        outer_reader, outer_writer = await asyncio.open_unix_connection(sys.argv[1])
        await asyncio.gather(pump(reader, outer_writer), pump(outer_reader, writer))
        outer_writer.close()
    except OSError:
        # the other side is gone: so is the program's connection
        return
    finally:
        writer.close()


async def main() -> None:
    server = await asyncio.start_server(bring, "127.0.0.1", int(sys.argv[2]))
    # the guard waits for this before it starts the command
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await server.serve_forever()


asyncio.run(main())
