"""Policy: which level an action has, who must approve it and by when. Pure: no clock, and no I/O but its own files."""

from .actions import RECORD
from .assessment import assess, assess_again
from .executors import check_executor, registered_executor
from .loading import ACTIONS, FILES, default_policy, load
from .model import Policy
from .wording import describe, differences

__all__ = [
    "ACTIONS",
    "FILES",
    "RECORD",
    "Policy",
    "assess",
    "assess_again",
    "check_executor",
    "default_policy",
    "describe",
    "differences",
    "load",
    "registered_executor",
]
