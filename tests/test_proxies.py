"""What is said about a client: believed from the proxies that are named, and from nobody else."""

import http.client
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.test import Client

from config.proxies import behind_proxy
from tests.processes import Site, free_port, site

HOST = "play.example.org"
CLAIMS = {
    "HTTP_X_FORWARDED_FOR": "198.51.100.1",
    "HTTP_X_FORWARDED_PROTO": "https",
    "HTTP_X_FORWARDED_HOST": "evil.example",
    "HTTP_X_FORWARDED_PORT": "1",
    "HTTP_X_REAL_IP": "198.51.100.1",
    "HTTP_FORWARDED": "for=198.51.100.1;proto=https",
    "HTTP_TRUE_CLIENT_IP": "198.51.100.1",
}


def seen(environ: dict[str, str]) -> dict[str, str]:
    """Return what the pages get of a request with these variables."""
    got: dict[str, str] = {}
    answered = behind_proxy(lambda environ, start_response: [got.update(environ) or b""])
    list(answered(dict(environ), None))
    return got


@pytest.mark.parametrize(
    ("address", "forwarded", "expected"),
    [
        ("172.18.0.5", "203.0.113.7", "203.0.113.7"),
        ("172.18.0.5", "198.51.100.1, 203.0.113.7, 172.18.0.2", "203.0.113.7"),
        ("172.18.0.5", "198.51.100.1,203.0.113.7:50012", "203.0.113.7"),
        ("172.18.0.5", "[2001:db8::7]:443", "2001:db8::7"),
        ("172.18.0.5", "203.0.113.7, unknown", "172.18.0.5"),
        ("172.18.0.5", "172.18.0.2", "172.18.0.2"),
        ("172.18.0.5", "", "172.18.0.5"),
        ("::ffff:172.18.0.5", "203.0.113.7", "203.0.113.7"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.9", "198.51.100.1", "10.0.0.9"),
        ("192.168.1.9", "198.51.100.1", "192.168.1.9"),
        ("127.0.0.1", "198.51.100.1", "127.0.0.1"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_counts(settings, address, forwarded, expected) -> None:
    settings.TRUSTED_PROXIES = ["172.18.0.0/16"]
    environ = {"REMOTE_ADDR": address} | ({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {})
    assert seen(environ)["REMOTE_ADDR"] == expected


@pytest.mark.parametrize("trusted", [[], ["172.18.0.5"]])
def test_of_others_nothing_is_left_of_what_they_say_about_a_client(settings, trusted) -> None:
    settings.TRUSTED_PROXIES = trusted
    assert seen({"REMOTE_ADDR": "192.168.1.9", **CLAIMS}) == {"REMOTE_ADDR": "192.168.1.9"}


@pytest.mark.parametrize(
    ("said", "read"), [("https", "https"), ("http", "http"), ("https, http", "http"), ("HTTPS", "https"), ("ftp", None)]
)
def test_of_a_trusted_proxy_address_and_scheme_are_read_and_no_more(settings, said, read) -> None:
    settings.TRUSTED_PROXIES = ["127.0.0.1"]
    got = seen({"REMOTE_ADDR": "127.0.0.1", **CLAIMS, "HTTP_X_FORWARDED_PROTO": said})
    assert got == {"REMOTE_ADDR": "198.51.100.1"} | ({"HTTP_X_FORWARDED_PROTO": read} if read else {})


def test_a_proxy_that_is_not_named_is_in_the_log_once(settings, caplog) -> None:
    settings.HTTPS, settings.TRUSTED_PROXIES = True, ["127.0.0.1"]
    answered = behind_proxy(lambda environ, start_response: [])
    for _again in range(3):
        answered({"REMOTE_ADDR": "172.18.0.1", **CLAIMS}, None)
    (record,) = caplog.records
    assert ("TRUSTED_PROXIES" in record.message, record.proxy) == (True, "172.18.0.1")


def test_the_pages_are_behind_it(settings) -> None:
    from config.wsgi import wired  # noqa: PLC0415 - it warms the process

    settings.TRUSTED_PROXIES = []
    got: dict[str, str] = {}
    environ = {"REQUEST_METHOD": "POST", "REMOTE_ADDR": "192.168.1.9", **CLAIMS}
    list(wired(lambda environ, start_response: [got.update(environ) or b""])(environ, None))
    assert {name for name in CLAIMS if name in got} == set()


# Over real connections.


class Asked:
    """A client that says of itself what it likes."""

    def __init__(self, started: Site) -> None:
        self.started = started

    def __call__(
        self, path: str, body: object = None, live: bool = False, **headers: str
    ) -> tuple[int, dict[str, str]]:
        parts = urlsplit(self.started.live_url if live else self.started.url)
        connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
        connection.putrequest("GET" if body is None else "POST", path, skip_host=True)
        content = b"" if body is None else json.dumps(body).encode()
        sent = {"host": HOST, "content-type": "application/json", "content-length": str(len(content))} | headers
        for name, value in sent.items():
            for one in value.split("|"):
                connection.putheader(name.replace("_", "-"), one)
        connection.endheaders(content)
        answer = connection.getresponse()
        found = answer.status, {name.lower(): value for name, value in answer.getheaders()}
        connection.close()
        return found

    def guesses(self, name: str, **headers: str) -> list[int]:
        """Return the statuses of a dozen attempts to sign in with one name, each with another word about the client."""
        body = {"username": name, "password": "wrong"}
        return [
            self("/api/v1/token/", body, **{name: value.format(number) for name, value in headers.items()})[0]
            for number in range(12)
        ]


def started(folder: Path, proxies: str) -> Iterator[Asked]:
    given = {"HTTPS": 1, "ALLOWED_HOSTS": HOST, "TRUSTED_PROXIES": proxies, "PAGE_PROCESSES": 1, "PORT": free_port()}
    with site(folder / "var", **given) as running:
        port = given["PORT"]
        yield Asked(replace(running, url=f"http://127.0.0.1:{port}"))


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A site whose proxy is elsewhere: this machine is a stranger to it."""
    yield from started(tmp_path_factory.mktemp("far"), "192.0.2.1")


@pytest.fixture(scope="module")
def near(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A site whose proxy is on this machine, as by default."""
    yield from started(tmp_path_factory.mktemp("near"), "127.0.0.1")


@pytest.mark.cluster
def test_a_stranger_is_believed_nothing(far: Asked) -> None:
    assert far("/", x_forwarded_proto="https")[0] == 301
    assert far("/", forwarded="proto=https", x_forwarded_ssl="on", front_end_https="on")[0] == 301
    status, headers = far("/", x_forwarded_proto="https", x_forwarded_host="evil.example")
    assert (status, headers["location"]) == (301, f"https://{HOST}/")
    far.started.running.says("TRUSTED_PROXIES")
    status, headers = far("/live/nothing", live=True, origin="https://evil.example", x_forwarded_host="evil.example")
    assert (status, headers.get("access-control-allow-origin")) == (404, None)


@pytest.mark.cluster
def test_a_trusted_proxy_is_believed_scheme_and_address_and_nothing_before_it(near: Asked) -> None:
    assert near("/")[0] == 301
    assert near("/", x_forwarded_proto="https")[0] == 200
    assert near("/", x_forwarded_proto="https, http")[0] == 301
    status, headers = near("/nothing", x_forwarded_proto="https", x_forwarded_host="evil.example", x_forwarded_for="x")
    assert (status, "evil" in str(headers)) == (404, False)
    https = {"x_forwarded_proto": "https"}
    assert near.guesses("anna", x_forwarded_for="203.0.113.{0}", **https) == [401] * 12
    # What the client wrote itself stands before what the proxy adds, in the same header or in one of its own.
    assert near.guesses("bert", x_forwarded_for="198.51.100.{0}, 203.0.113.200", **https) == [401] * 10 + [429] * 2
    assert near.guesses("carl", x_forwarded_for="198.51.100.{0}|203.0.113.201", **https) == [401] * 10 + [429] * 2


@pytest.mark.django_db
def test_no_header_changes_the_host(settings) -> None:
    client = Client(headers={"X-Forwarded-Host": "evil.example", "X-Forwarded-Server": "evil.example"})
    assert "evil.example" not in client.get("/").content.decode()
