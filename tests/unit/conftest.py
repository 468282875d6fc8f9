"""The same examples on every run, so that a failure is a change and never luck."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "unit", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unit")
