"""A mail server of a test's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from email.policy import default

from aiosmtpd.controller import Controller

from tests.processes import free_port


class Inbox:
    """What a mail server took, and the recipients that it refuses."""

    def __init__(self) -> None:
        self.got: list[Message] = []
        self.refused: dict[str, str] = {}
        self.url = ""

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:  # noqa: N802 - named by aiosmtpd
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope) -> str:  # noqa: N802 - named by aiosmtpd
        self.got.append(message_from_bytes(envelope.content, policy=default))
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[Inbox]:
    inbox = Inbox()
    server = Controller(inbox, hostname="127.0.0.1", port=free_port())
    inbox.url = f"smtp://127.0.0.1:{server.port}"
    server.start()
    try:
        yield inbox
    finally:
        server.stop()
