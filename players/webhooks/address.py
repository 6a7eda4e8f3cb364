"""Which addresses are told anything: https, and never a computer of a private network."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from players.webhooks.models import MAX_ADDRESS

NAT64 = ip_network("64:ff9b::/96")
LOCAL_NAMES = (".localhost", ".local", ".internal", ".home.arpa", ".lan")


def read_address(address: str) -> SplitResult | None:
    """Return the parts of the address, or None unless it is plain https to a host, without a user name or fragment."""
    plain = address.isascii() and address.isprintable() and " " not in address and "\\" not in address
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    fits = parts.scheme == "https" and host and "@" not in parts.netloc and not parts.fragment and port != 0
    return parts if plain and fits and len(address) <= MAX_ADDRESS else None


def is_private_name(host: str) -> bool:
    """Whether the name of a host says that it is of a private network; one that only turns out so is met later."""
    try:
        return not is_public(host)
    except ValueError:
        name = f".{host.rstrip('.').lower()}"
        return name.count(".") < 2 or name.endswith(LOCAL_NAMES)


def is_public(address: str) -> bool:
    """Whether an IP address is reached over the public network, whichever way it is written.

    Raises ValueError for what is none.
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.teredo is not None or found.is_site_local:
            return False
        inner = found.ipv4_mapped or found.sixtofour
        if inner is None and found in NAT64:
            inner = IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            found = inner
    return found.is_global and not found.is_multicast and not found.is_reserved
