"""PostgreSQL without installing it: a private server under our supervision, shared by the processes of a folder."""

from handrail.store.embedded.server import Server, exists, running

__all__ = ["Server", "exists", "running"]
