"""What proxies say about a client: believed from ``TRUSTED_PROXIES``, and from nobody else."""

import logging
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from django.conf import settings

from config.demands import Network, read_networks

Address = IPv4Address | IPv6Address

CLAIMS = ("FORWARDED", "X_CLUSTER_CLIENT_IP", "X_REAL_IP", "X_SCRIPT_NAME", "TRUE_CLIENT_IP")
"""Headers about a client besides those that begin with ``X-Forwarded-``."""
MOST_WARNED = 20

logger = logging.getLogger(__name__)


def behind_proxy(application: WSGIApplication) -> WSGIApplication:
    """Make ``REMOTE_ADDR`` and ``X-Forwarded-Proto`` what the nearest trusted proxies say.

    Of a connection from anywhere else every such header is dropped before anything reads it, whatever the network that
    it comes from. Limits and the log count by address; without this, all visitors would share the proxy's.
    """
    trusted = read_networks("TRUSTED_PROXIES", settings.TRUSTED_PROXIES)
    warned: set[str] = set()

    def answered(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        peer = read_address(environ.get("REMOTE_ADDR", ""))
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "")
        scheme = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip().lower()
        for name in [name for name in environ if is_claim(name)]:
            del environ[name]
        if peer is not None and is_trusted(peer, trusted):
            environ["REMOTE_ADDR"] = str(client_of(peer, forwarded, trusted))
            if scheme in ("http", "https"):
                environ["HTTP_X_FORWARDED_PROTO"] = scheme
        elif scheme and settings.HTTPS and str(peer) not in warned and len(warned) < MOST_WARNED:
            # Otherwise nobody finds out why a browser is sent to https again and again.
            warned.add(str(peer))
            logger.warning("X-Forwarded-Proto ignored: add the proxy to TRUSTED_PROXIES", extra={"proxy": str(peer)})
        return application(environ, start_response)

    return answered


def is_claim(name: str) -> bool:
    """Whether the variable is a header that says something of the client."""
    header = name.removeprefix("HTTP_")
    return header != name and (header.startswith("X_FORWARDED") or header in CLAIMS)


def read_address(text: str) -> Address | None:
    """Return the address in the text, which may have a port, or brackets; None if there is none."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def is_trusted(address: Address, trusted: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in trusted)


def client_of(peer: Address, forwarded: str, trusted: Sequence[Network]) -> Address:
    """Return the last address of the chain that is no trusted proxy: what stands before it anybody could have sent.

    A part that is no address ends the chain, since whoever wrote it is not known.
    """
    nearest = peer
    for part in reversed(forwarded.split(",")):
        address = read_address(part)
        if address is None:
            break
        nearest = address
        if not is_trusted(address, trusted):
            break
    return nearest
