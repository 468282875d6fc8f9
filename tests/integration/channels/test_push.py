"""Notifications on devices: what they show, who may switch them on, and what ends them."""

from __future__ import annotations

import json

import pytest
from channel_world import Office, office
from loopback import Answer, Received, Reply
from push_fake import DeviceFake, PushFake

from handrail.channels import delivering
from handrail.channels.push import link


def service(at: Office) -> PushFake:
    found = at.others["push"]
    assert isinstance(found, PushFake)
    return found


def ann_device(at: Office) -> DeviceFake:
    return next(iter(service(at).devices.values()))


async def test_a_device_shows_what_is_asked_and_nothing_that_a_locked_screen_should_not(database: str) -> None:
    async with office(database, "push") as at:
        hold = await at.open(
            title="Deploy billing with hunter2\u202e\n<b>now</b>",
            description="token abc",
            action={"name": "deploy", "args": {"version": "1.2", "password": "hunter2"}, "target": "production"},
            evidence={"log": "internal"},
        )
        await at.settle()
        [note] = ann_device(at).shown.values()
        assert note["title"].startswith("Decision needed (high): Deploy billing with ")
        assert hold["short_id"] in note["title"]
        assert "deploy on production" in note["body"]
        assert "bot asks. Needs " in note["body"]
        assert (note["tag"], note["path"], note["asks"]) == (hold["id"], f"/holds/{hold['id']}", True)
        assert note["silent"] is False
        everything = json.dumps(note)
        for hidden in ("hunter2", "abc", "1.2", "internal", "\\u202e", "\\n<b>"):
            assert hidden not in everything
        [asked] = service(at).asked
        assert asked["urgency"] == "high"
        # the service carries it and cannot read it
        assert all(part.encode() not in ann_device(at).raw[0] for part in ("Deploy", "production", hold["id"]))


async def test_each_device_is_told_once_and_closed_in_silence(database: str) -> None:
    async with office(database, "push") as at:
        laptop = service(at).device()
        (await at.ann.post("/api/me/push", json={**laptop.subscription, "label": "Laptop"})).raise_for_status()
        phone = ann_device(at)
        # the first attempt reaches one of the two
        service(at).faults.append("broken")
        hold = await at.open()
        await at.settle()
        assert [len(device.alerts) for device in (phone, laptop)] == [1, 1]
        assert sorted(len(device.raw) for device in (phone, laptop)) == [1, 1]
        await at.review(at.ben, hold, "approve")
        await at.settle()
        assert [len(device.alerts) for device in (phone, laptop)] == [1, 1]
        assert {device.shown[hold["id"]]["title"].partition(":")[0] for device in (phone, laptop)} == {
            "Approved by ben"
        }
        topics = {asked["topic"] for asked in service(at).asked}
        assert len(topics) == 1, "a device that was away gets the newest alone"


async def test_a_comment_is_shown_beside_the_question_not_in_its_place(database: str) -> None:
    async with office(database, "push") as at:
        # as long as it may be: it is cut to what services take
        hold = await at.open(title="长" * 400, action={"name": "n" * 200, "args": {}, "target": "𝕏" * 1000})
        await at.settle()
        (await at.bot.post(f"/api/holds/{hold['id']}/comments", json={"text": "please\nlook"})).raise_for_status()
        await at.settle()
        shown = ann_device(at).shown
        assert shown[hold["id"]]["asks"]
        assert shown[f"{hold['id']}/comments"]["body"] == "bot: please look"


async def test_an_expired_subscription_is_removed_and_the_next_channel_used(database: str) -> None:
    async with office(database, "push") as at:
        service(at).delete()
        hold = await at.open()
        await at.round()
        assert (await at.ann.get("/api/me/push")).json()["devices"] == []
        [gone] = [one for one in await at.desk.events() if one["type"] == "push.removed"]
        assert gone["actor_id"] is None
        await at.settle()
        [told] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["deliveries"]
        assert (told["channel"], told["status"]) == ("web", "delivered")


async def test_one_device_that_expired_does_not_hold_up_the_other(database: str) -> None:
    async with office(database, "push") as at:
        gone = DeviceFake(f"{service(at).url}/push/gone")
        (await at.ann.post("/api/me/push", json={**gone.subscription, "label": "Lost phone"})).raise_for_status()
        hold = await at.open()
        await at.settle()
        assert [one.asks for one in at.seen(hold)] == [True]
        assert [one["label"] for one in (await at.ann.get("/api/me/push")).json()["devices"]] == ["Ann's phone"]
        [told] = (await at.ann.get(f"/api/holds/{hold['id']}/deliveries")).json()["deliveries"]
        assert (told["channel"], told["status"]) == ("push", "delivered")


async def test_a_device_that_was_switched_off_gets_nothing_more(database: str) -> None:
    async with office(database, "push") as at:
        hold = await at.open()
        await at.settle()
        [device] = (await at.ann.get("/api/me/push")).json()["devices"]
        assert (await at.ben.delete(f"/api/me/push/{device['id']}")).status_code == 404
        assert (await at.ann.delete(f"/api/me/push/{device['id']}")).status_code == 204
        await at.review(at.ben, hold, "approve")
        await at.open(title="Another")
        await at.settle()
        assert len(ann_device(at).raw) == 1


async def test_who_is_deactivated_or_erased_has_no_devices(database: str) -> None:
    async with office(database, "push") as at:
        people = {one["name"]: one["id"] for one in (await at.desk.admin.get("/api/people")).json()["people"]}
        hold = await at.open()
        await at.settle()
        (await at.desk.admin.patch(f"/api/people/{people['ann']}", json={"active": False})).raise_for_status()
        await at.review(at.ben, hold, "approve")
        await at.open(title="Another")
        await at.settle()
        assert len(ann_device(at).raw) == 1
        (await at.desk.admin.post(f"/api/people/{people['ann']}/erase", json={})).raise_for_status()
        async with at.desk.database.connection() as conn:
            for table in ("push_devices", "messages"):
                found = await (await conn.execute(f"SELECT count(*) AS n FROM {table}")).fetchone()
                assert found == {"n": 0}, table


async def test_only_a_person_with_all_their_rights_adds_a_device_and_only_a_real_one(database: str) -> None:
    async with office(database, "push") as at:
        good = {**service(at).device().subscription, "label": "Tablet"}
        lesser = at.desk.client(await at.desk.token("ben", scopes=["read"]))
        refusals = [
            (await at.bot.post("/api/me/push", json=good), 403, "not_a_person"),
            (await lesser.post("/api/me/push", json=good), 403, "scope_missing"),
            (await lesser.get("/api/me/push"), 403, "scope_missing"),
            (await at.desk.client().post("/api/me/push", json=good), 401, "unauthenticated"),
            (await at.ben.post("/api/me/push", json={**good, "endpoint": "https://10.0.0.1/x"}), 422, "invalid_field"),
            (await at.ben.post("/api/me/push", json={**good, "endpoint": "http://localhost/x"}), 422, "invalid_field"),
            (await at.ben.post("/api/me/push", json={**good, "p256dh": "AAAA"}), 422, "invalid_field"),
            (await at.ben.post("/api/me/push", json={**good, "p256dh": "BA" + "A" * 85}), 422, "invalid_field"),
            (await at.ben.post("/api/me/push", json={**good, "auth": "AAAA"}), 422, "invalid_field"),
            (await at.ben.post("/api/me/push", json={**good, "auth": "a+b/"}), 422, "invalid_field"),
        ]
        for answer, status, code in refusals:
            assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert (await at.ben.get("/api/me/push")).json()["devices"] == []


async def test_nobody_takes_over_the_device_of_another_nor_has_too_many(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "MOST", 2)
    async with office(database, "push") as at:
        stolen = {**ann_device(at).subscription, "label": "Mine now"}
        answer = await at.ben.post("/api/me/push", json=stolen)
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
        # the same person again is the same device
        (await at.ann.post("/api/me/push", json={**stolen, "label": "New name"})).raise_for_status()
        assert [one["label"] for one in (await at.ann.get("/api/me/push")).json()["devices"]] == ["New name"]
        answers = [
            await at.ann.post("/api/me/push", json={**service(at).device().subscription, "label": f"{n}"})
            for n in range(2)
        ]
        assert [answer.status_code for answer in answers] == [201, 409]


class Redirecting(PushFake):
    async def reply(self, request: Received) -> Reply:
        return Answer(307, headers={"Location": f"{self.url}/internal"})


async def test_a_push_service_that_redirects_leads_nowhere(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("channel_world").OTHERS, "push", Redirecting)
    async with office(database, "push") as at:
        await at.open()
        await at.round()
        assert [request.target for request in service(at).received] == [next(iter(service(at).devices))]


async def test_a_device_whose_service_is_no_longer_allowed_is_not_sent_to(database: str) -> None:
    async with office(database, "push") as at:
        await at.open()
        services = at.desk.app.state.services
        stricter = services.settings.model_copy(update={"push_hosts": ()})
        async with delivering.opened(services.context, stricter) as channels:
            assert await delivering.deliver(services.context, channels) == 1
        assert service(at).received == []


async def test_the_key_is_made_once_and_lies_sealed_in_the_database(database: str) -> None:
    async with office(database, "push") as at:
        keys = {(await who.get("/api/me/push")).json()["public_key"] for who in (at.ann, at.ben)}
        assert len(keys) == 1
        await at.open()
        await at.settle()
        assert {service(at).key} == keys
        async with at.desk.database.connection() as conn:
            row = await (await conn.execute("SELECT box FROM push_keys")).fetchone()
        assert row is not None
        # PKCS #8 begins like this
        assert b"MIGHAgEA" not in bytes(row["box"])
