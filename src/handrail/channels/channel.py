"""What a channel is: something that sends a notice, or says why it could not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from handrail.store.deliveries import Delivery


class NotSent(Exception):
    """The message is kept and shown: it names no address and no secret. `final`: another attempt cannot help."""

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


# Returns once the other side has taken the notice; raises NotSent otherwise. The same notice may come again after a
# crash, so each channel marks it with the delivery's id.
Send = Callable[[Delivery], Awaitable[None]]
