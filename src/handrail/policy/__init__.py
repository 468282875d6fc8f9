"""Policy: which level an action has, who must say yes and until when. Pure: no clock, and no I/O but its own files."""

from .assessment import assess
from .loading import FILES, default_policy, load
from .model import Policy
from .wording import describe, differences

__all__ = ["FILES", "Policy", "assess", "default_policy", "describe", "differences", "load"]
