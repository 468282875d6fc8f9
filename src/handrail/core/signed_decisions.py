"""Whether signed decisions in an export were signed, by keys that the log knows as theirs. Needs no database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from handrail.core import passkeys
from handrail.core.holds import Verdict
from handrail.core.ids import HoldId, PrincipalId
from handrail.core.passkeys import Refused, Signature

ADDED, REMOVED, REVIEWED = "person.passkey_added", "person.passkey_removed", "hold.reviewed"
SIGNED_TYPES = frozenset({ADDED, REMOVED, REVIEWED})


class SignedDecisions:
    """Follows the passkeys that people add and remove, and checks each signature against them."""

    def __init__(self, *, from_the_start: bool) -> None:
        self._from_the_start = from_the_start
        self._known: dict[str, tuple[str, str, str]] = {}

    def take(self, record: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
        """What is wrong with this entry; nothing where it is good, or has no signature."""
        if record["type"] == ADDED:
            self._known[data["passkey"]] = (str(data["id"]), data["public_key"], data["party"])
        elif record["type"] == REMOVED:
            self._known[data["passkey"]] = ("", "", "")
        elif data.get("signature") is not None:
            return self._review(record, data)
        return None

    def _review(self, record: Mapping[str, Any], data: Mapping[str, Any]) -> str | None:
        try:
            given: dict[str, Any] = {**data["signature"]}
            given["passkey"] = UUID(given["passkey"])
            kept = Signature(**given)
            owner = (str(record["actor_id"]), kept.public_key, kept.party)
            # an export that begins later does not have the entries in which people added theirs
            known = self._known.get(str(kept.passkey), ("", "", "") if self._from_the_start else owner)
            if known != owner:
                return "it is not by a passkey that this person had"
            hold, who = HoldId(UUID(record["hold_id"])), PrincipalId(UUID(record["actor_id"]))
            absent = data.get("on_behalf_of")
            meant = PrincipalId(UUID(absent)) if absent else None
            passkeys.proven(kept, hold, data["revision"], data["digest"], Verdict(data["verdict"]), who, meant)
        except Refused as refusal:
            return str(refusal)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            return f"it cannot be read ({type(error).__name__})"
        return None
