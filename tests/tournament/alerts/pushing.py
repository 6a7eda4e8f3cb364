"""A push service at home: https with a certificate made here, and a browser that reads what is sent to it."""

import json
import os
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tests.builders import AT, fixture_of
from tests.certificates import make_certificate
from tests.processes import PATIENCE_SECONDS
from tournament.alerts.sealing import encoded, point_of, read_point
from tournament.alerts.send import send_alerts
from tournament.alerts.subscribe import subscribe_push
from tournament.alerts.telling import KINDS
from tournament.models import Entry, Event, Subscription


@dataclass
class Browser:
    """What a browser keeps of a subscription."""

    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def public_key(self) -> str:
        return encoded(point_of(self.private.public_key()))

    @property
    def secret(self) -> str:
        return encoded(self.auth)

    def read(self, body: bytes) -> dict:
        """Open what was sealed for this browser, step by step as RFC 8188 and RFC 8291 say."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        point, sealed = body[21 : 21 + length], body[21 + length :]
        assert (size >= len(sealed), length) == (True, 65)
        shared = self.private.exchange(ec.ECDH(), read_point(encoded(point)))
        info = b"WebPush: info\0" + point_of(self.private.public_key()) + point
        secret = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\2")
        return json.loads(text[:-1])


@dataclass
class PushService:
    """``got`` are the requests, each its path, headers and body; ``answers`` the next status codes, then 201.

    It answers once it ``may_answer``. With the ``pace`` "drips" the head of its answer has no end and comes byte by
    byte, until the other side has ``hung_up``.
    """

    host: str
    certificate: Path
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    pace: str = "at once"
    may_answer: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)


@contextmanager
def push_service(folder: Path) -> Iterator[PushService]:
    cert_file, key_file = make_certificate(folder)
    service = PushService("", cert_file)
    service.may_answer.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append((self.path, dict(self.headers), body))
            service.asked.set()
            service.may_answer.wait(PATIENCE_SECONDS)
            if service.pace == "drips":
                return self.drip()
            self.send_response(service.answers.pop(0) if service.answers else 201)
            self.send_header("Location", f"https://{service.host}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def drip(self) -> None:
            with suppress(OSError):
                self.wfile.write(b"HTTP/1.1 201 Created\r\nX: ")
                while True:
                    self.wfile.write(b"x")
                    service.hung_up.wait(0.01)
            service.hung_up.set()

        def log_message(self, *said: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert_file, key_file)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    service.host = f"127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield service
    finally:
        service.may_answer.set()
        server.shutdown()
        thread.join()
        server.server_close()


def entry_of(event: Event, key: str = "M1-1") -> Entry:
    found = Entry.objects.select_related("player", "partner", "event__tournament")
    return found.get(pk=fixture_of(event, key).entry_a_id)


def follow(entry: Entry, service: PushService, browser: Browser, kinds=tuple(KINDS), path="/one") -> Subscription:
    return subscribe_push(
        entry,
        address=f"https://{service.host}{path}",
        public_key=browser.public_key,
        secret=browser.secret,
        kinds=kinds,
        days_before=2,
        at=AT,
    )


def send(event: Event, minutes: float = 0) -> None:
    send_alerts(event.tournament_id, clock=lambda: AT + timedelta(minutes=minutes))


def told(service: PushService, browser: Browser) -> list[str]:
    return [browser.read(body)["title"] for _path, _headers, body in service.got]
