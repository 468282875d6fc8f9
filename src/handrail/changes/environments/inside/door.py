"""Runs a command beside a door: what it sends to the proxy on loopback leaves the sandbox by the socket that is bound
into it.

A program by itself, run by the sandbox's own Python: it uses the standard library alone. Arguments: the socket, the
port, the command.
"""

import asyncio
import subprocess
import sys
import threading

CHUNK = 65536
NOT_FOUND = 127


async def main(path: str, port: int, opened: threading.Event) -> None:
    async def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            outside = await asyncio.open_unix_connection(path)
        except OSError:
            writer.close()
            return
        await asyncio.gather(pump(reader, outside[1]), pump(outside[0], writer))

    server = await asyncio.start_server(enter, "127.0.0.1", port)
    opened.set()
    await server.serve_forever()


async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


def run(command: "list[str]") -> int:
    try:
        code = subprocess.run(command, check=False).returncode  # noqa: S603 - the sandbox is what makes it safe
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return NOT_FOUND
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    is_open = threading.Event()
    threading.Thread(target=lambda: asyncio.run(main(sys.argv[1], int(sys.argv[2]), is_open)), daemon=True).start()
    is_open.wait(10)
    sys.exit(run(sys.argv[3:]))
