"""What a channel is: something that sends a notice, and brings what it sent up to date, or says why it could not."""

from __future__ import annotations

from abc import ABC, abstractmethod

from handrail.channels.standing import Standing
from handrail.core.people import Principal
from handrail.store.deliveries import Delivery
from handrail.store.messages import Message


class NotSent(Exception):
    """The message is kept and shown: it names no address and no secret. `final`: another attempt cannot help.

    `wait`: the other side did nothing and asks to be left alone for so many seconds.
    """

    def __init__(self, message: str, *, final: bool = False, wait: float | None = None) -> None:
        super().__init__(message)
        self.final = final
        self.wait = wait


class Later(Exception):
    """Nothing failed: the notice is to be told together with others, in so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__("waits to be sent together with others")
        self.seconds = seconds


class Channel(ABC):
    """A way to reach people. Its folder has the same few files as every other: `send`, `update`, and where people can
    answer there, `receive` and `link`."""

    @abstractmethod
    async def send(self, delivery: Delivery) -> None:
        """Returns once the other side has taken the notice and where it is has been remembered; raises NotSent
        otherwise, or Later. The same notice may come again after a crash, so each channel marks it with the
        delivery's id."""

    @abstractmethod
    async def update(self, message: Message, standing: Standing) -> None:
        """Makes the message say how the hold stands; raises NotSent otherwise, `final` where it is no longer there.
        The same may come again: the last one counts."""

    @abstractmethod
    async def test(self, who: Principal) -> None:
        """A word to this person, or to the place that all share, to show that it works; raises NotSent otherwise."""

    async def recall(self, delivery: Delivery) -> None:  # noqa: B027 - most have nothing to look for
        """Remembers what earlier attempts left outside, whose answers were lost."""
