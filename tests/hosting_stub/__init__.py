"""A code host on loopback: bare repositories behind git's own server program, and REST that is checked against them."""

from hosting_stub.server import Fault, serving
from hosting_stub.state import Grant, Pull, Repository, Stub

__all__ = ["Fault", "Grant", "Pull", "Repository", "Stub", "serving"]
