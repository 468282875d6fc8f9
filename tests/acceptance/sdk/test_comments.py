"""Asking back (B12): a reviewer questions the agent that waits, and gets its answer, through restarts of both."""

from __future__ import annotations

import asyncio

from sdk_office import Office

from handrail_sdk import Action, AsyncHandrail, Comment, Handrail, gate, request_confirmation

ACTION = Action("scale", {"replicas": 3})


async def replies(person: AsyncHandrail, hold_id: str, count: int) -> list[str]:
    """The texts of all replies, as soon as there are so many."""
    found = list[str]()
    # less than a long poll: a comment ends it
    async with asyncio.timeout(20):
        async for event in person.events(hold=hold_id, after=0):
            if event.type == "hold.commented" and event.data["reply_to"]:
                found.append(event.data["text"])
            if len(found) == count:
                break
    return found


async def test_questions_reach_the_agent_once_through_a_restart_of_the_server(own_office: Office) -> None:
    heard = list[str]()

    async def answer(asked: Comment) -> str | None:
        heard.append(asked.text)
        return None if asked.text == "Hm." else f"answer to {asked.text}"

    async with own_office.asking() as agent, AsyncHandrail(own_office.server.url, own_office.lead) as person:
        hold = await agent.open("confirmation", "Scale", ACTION)
        waiting = asyncio.create_task(agent.wait(hold.id, on_comment=answer))
        await person.comment(hold.id, "one")
        assert await replies(person, hold.id, 1) == ["answer to one"]
        await person.comment(hold.id, "Hm.")
        own_office.server.kill()
        await asyncio.to_thread(own_office.server.start)
        await person.comment(hold.id, "two")
        assert await replies(person, hold.id, 2) == ["answer to one", "answer to two"]
        # said with the decision, when nobody polls any more
        await person.comment(hold.id, "Last words.")
        await person.resolve_confirmation(hold.id, True)
        assert (await waiting).approved
        assert heard == ["one", "Hm.", "two", "Last words."]
        shown = [(one.by.name, one.text) for one in await person.comments(hold.id)]
        assert shown.count(("agent", "answer to one")) == 1


async def test_an_agent_that_starts_again_is_asked_what_it_has_not_answered(office: Office, case: str) -> None:
    heard = list[str]()

    def answer(asked: Comment) -> str:
        heard.append(asked.text)
        return f"answer to {asked.text}"

    async def ask() -> bool:
        # a client of its own, which remembers nothing of the one before
        async with office.asking() as agent:
            result = await request_confirmation(
                case, "mailer", "Send", [], idempotency_key=case, on_comment=answer, client=agent
            )
            return result.approved

    async with AsyncHandrail(office.server.url, office.lead) as person:
        first = asyncio.create_task(ask())
        hold_id = await asyncio.to_thread(office.one_pending, case=case)
        await person.comment(hold_id, "one")
        await replies(person, hold_id, 1)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await person.comment(hold_id, "two")
        second = asyncio.create_task(ask())
        await replies(person, hold_id, 2)
        await person.resolve_confirmation(hold_id, False, "no")
        assert not await second
    assert heard == ["one", "two"]


async def test_a_gated_function_answers_too_and_talk_goes_on_after_the_decision(office: Office, case: str) -> None:
    with Handrail(office.server.url, office.agent) as agent:
        task = {"operation": "deploy", "environment": "staging"}

        @gate(title=case, task=task, client=agent, on_comment=lambda asked: asked.text.upper())
        def deploy(version: str) -> str:
            return version

        running = asyncio.create_task(asyncio.to_thread(deploy, "2.0"))
        hold_id = await asyncio.to_thread(office.one_pending, text=case)
        async with AsyncHandrail(office.server.url, office.lead) as person:
            asked = await person.comment(hold_id, "really?")
            assert await replies(person, hold_id, 1) == ["REALLY?"]
            await person.review(hold_id, "approve", digest=(await person.get(hold_id)).digest)
            assert await running == "2.0"
            after = (await person.comments(hold_id, after=asked.id))[-1].id
            await person.comment(hold_id, "Well done.")
        [late] = agent.comments(hold_id, after=after)
        assert late.text == "Well done."
        # the same reply again is one
        thanks = agent.comment(hold_id, "Thanks.", reply_to=late.id)
        assert agent.comment(hold_id, "Thanks.", reply_to=late.id) == thanks
