"""The site as https without a proxy, with a certificate that the test makes."""

import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.certificates import make_certificate
from tests.desks import open_desk
from tests.processes import PATIENCE_SECONDS, Site, site

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory, certificate: tuple[Path, Path]) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("secure") / "var"
    with site(folder, PAGE_PROCESSES=2, TLS_CERT=certificate[0], TLS_KEY=certificate[1]) as started:
        yield started


@pytest.fixture(scope="module")
def trusting(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate[0]))


def test_pages_are_https_and_cookies_are_for_https_only(secure: Site, trusting: ssl.SSLContext) -> None:
    assert "https://" in secure.running.log.read_text()
    with urllib.request.urlopen(f"{secure.url}/accounts/login/", context=trusting) as answer:
        assert f"connect-src 'self' {secure.live_url};" in answer.headers["Content-Security-Policy"]
        assert "Secure" in answer.headers["Set-Cookie"]
        assert answer.headers["Set-Cookie"].startswith("__Host-")
        assert "Strict-Transport-Security" not in answer.headers


def test_the_live_stream_is_https_too(secure: Site, trusting: ssl.SSLContext) -> None:
    address = f"{secure.live_url}/live/events/all"
    with urllib.request.urlopen(address, context=trusting, timeout=PATIENCE_SECONDS) as stream:
        assert stream.readline() == b"retry: 2000\n"


def test_plain_http_is_not_answered_there(secure: Site) -> None:
    with pytest.raises((OSError, HTTPException)):
        urllib.request.urlopen(secure.url.replace("https:", "http:"), timeout=PATIENCE_SECONDS)


def test_a_stranger_does_not_trust_the_certificate(secure: Site) -> None:
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        urllib.request.urlopen(secure.url)


@pytest.mark.browser
def test_a_page_follows_its_event_over_https(secure: Site, browser) -> None:
    """Between https and the live stream at its other port, too; and the browser grants what needs a safe address."""
    desk = open_desk(secure, name="Secure", players=4)
    context = browser.new_context(base_url=secure.url, ignore_https_errors=True)
    context.set_default_timeout(PATIENCE_SECONDS * 1000)
    page = context.new_page()
    page.goto(desk.path)
    page.wait_for_selector("[data-live-state=live]")
    assert page.evaluate("window.isSecureContext && 'serviceWorker' in navigator")
    context.close()
