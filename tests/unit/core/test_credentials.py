"""A credential is one's own once its person has set a password through it; what is made with a lent one is lent."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from uuid import UUID

import pytest
from unit.core.samples import BOTH, CRITICAL, CTO, DEPLOY, MINUTE, T0, TECH, opened

from handrail.core import authority, errors, transitions
from handrail.core.credentials import BY_OPERATOR, Credential, Provenance
from handrail.core.holds import Action, Review, Verdict
from handrail.core.ids import PrincipalId

ADMIN = PrincipalId(UUID(int=70))
OTHER = PrincipalId(UUID(int=71))
NOW = T0 + MINUTE
STRICT = replace(CRITICAL, requirements=replace(CRITICAL.requirements, own_credential=True))


def credential(origin: Provenance) -> Credential:
    return Credential("token", UUID(int=80), frozenset({"decide"}), origin)


LENT = credential(Provenance(ADMIN))
OWN = credential(Provenance(CTO.id, T0, ADMIN))


def test_what_is_made_with_a_lent_credential_is_lent_by_the_same() -> None:
    lent = Provenance(ADMIN)
    assert lent.passed_on(CTO.id) == lent
    assert lent.lends(CTO.id) == Provenance(ADMIN)
    assert not lent.passed_on(CTO.id).passed_on(CTO.id).own


def test_a_password_makes_it_ones_own_and_the_first_time_stays() -> None:
    taken = Provenance(ADMIN).taken_over(NOW)
    assert taken == Provenance(ADMIN, NOW, ADMIN)
    assert taken.taken_over(NOW + MINUTE) == taken
    assert taken.passed_on(CTO.id) == Provenance(CTO.id, NOW, ADMIN), "who lent it, and when, is not washed off"


def test_who_makes_something_for_another_with_their_own_is_its_maker() -> None:
    assert Provenance(OTHER, T0, ADMIN).lends(OTHER) == Provenance(OTHER)
    assert BY_OPERATOR.lends(OTHER) == Provenance(OTHER)
    assert not BY_OPERATOR.own


@pytest.mark.parametrize("used", [LENT, None], ids=["lent", "unknown"])
def test_a_lent_credential_does_not_say_yes_where_ones_own_is_needed(used: Credential | None) -> None:
    hold = opened(assessment=STRICT)
    with pytest.raises(errors.CredentialNotOwn):
        transitions.review(hold, CTO, Verdict.approve, NOW, credential=used, reason="checked")
    with pytest.raises(errors.CredentialNotOwn):
        amended = Action("deploy", {"version": "2.13"}, "staging")
        transitions.amend(hold, CTO, amended, STRICT, NOW, credential=used, reason="checked")


def test_a_lent_credential_always_says_no() -> None:
    step = transitions.review(opened(assessment=STRICT), CTO, Verdict.reject, NOW, credential=LENT)
    assert step.hold.reviews == (Review(CTO.id, CTO.roles, Verdict.reject, NOW, credential=LENT),)


def test_ones_own_says_yes_and_the_event_tells_of_it() -> None:
    step = transitions.review(opened(assessment=STRICT), CTO, Verdict.approve, NOW, credential=OWN, reason="checked")
    assert step.hold.reviews[0].credential == OWN
    assert step.events[0].data["credential"] == {
        "kind": "token",
        "id": str(OWN.id),
        "scopes": ["decide"],
        "made_by": str(CTO.id),
        "own_since": T0.isoformat(),
        "lent_by": str(ADMIN),
    }


def test_where_no_level_asks_for_it_a_lent_one_does_and_is_recorded() -> None:
    step = transitions.review(opened(assessment=CRITICAL), CTO, Verdict.approve, NOW, credential=LENT, reason="checked")
    assert step.hold.reviews[0].credential == LENT


def test_a_policy_that_now_asks_for_ones_own_voids_what_a_lent_one_said() -> None:
    hold = opened(assessment=CRITICAL)
    for who, used in ((CTO, LENT), (TECH, credential(Provenance(TECH.id, T0, ADMIN)))):
        hold = transitions.review(hold, who, Verdict.approve, NOW, credential=used, reason="checked").hold
    step = transitions.redeem(hold, hold.opener, hold.digest, "k", STRICT, NOW + MINUTE, roles_now=hold.approvers)
    assert (step.hold.pending, list(step.hold.approvers)) == (True, [TECH.id])


def test_an_amendment_by_a_lent_one_is_no_approval_where_the_amended_needs_ones_own() -> None:
    hold = opened(assessment=CRITICAL)
    amended = replace(DEPLOY, args={"version": "2.13"})
    step = transitions.amend(hold, BOTH, amended, STRICT, NOW, credential=LENT, reason="older")
    assert (step.hold.reviews, step.events[0].data["counts_as_approval"]) == ((), False)


def test_a_review_of_before_credentials_were_recorded_is_read_as_not_ones_own() -> None:
    said = Review(CTO.id, CTO.roles, Verdict.approve, datetime(2026, 1, 1, tzinfo=T0.tzinfo), "checked")
    assert authority.still_counts(said, opened(assessment=CRITICAL))
    assert not authority.still_counts(said, opened(assessment=STRICT))
