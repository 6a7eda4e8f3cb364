"""Site addresses, by which phones reach the program: read and written the same way each time (pure)."""

import re
import socket
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

LONGEST = 200
HOST = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\.?", re.ASCII)


def read_site_address(text: str) -> str:
    """Return the start of an address, as http://host or https://host with a port or none; empty for empty text.

    Raises ValueError for any other text: one with a path, a name or a password, or too long.
    """
    text = text.strip()
    if not text:
        return ""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(text)
    host = _host_of(parts.hostname or "")
    port = "" if parts.port is None else f":{parts.port}"
    address = f"{parts.scheme}://{host}{port}"
    if "@" in parts.netloc or text.endswith(("?", "#")) or len(address) > LONGEST or parts.port == 0:
        raise ValueError(text)
    return address


def _host_of(name: str) -> str:
    """Return the host as addresses write it: letters beyond ASCII as punycode. Raises ValueError for no host."""
    if ":" in name and "%" not in name:
        return f"[{IPv6Address(name)}]"
    host = name if name.isascii() else name.encode("idna").decode()
    if not HOST.fullmatch(host):
        raise ValueError(name)
    return host


def is_local(address: str) -> bool:
    """Whether the address leads each device to itself: localhost, a loopback address, or the unspecified one."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        # Browsers read 127.1 and 2130706433 as 127.0.0.1, and so does this.
        number = socket.inet_ntoa(socket.inet_aton(host)) if ":" not in host else host
        ip = ip_address(number)
    except (OSError, ValueError):
        return False
    if isinstance(ip, IPv6Address) and ip.ipv4_mapped is not None:
        return ip.ipv4_mapped.is_loopback or ip.ipv4_mapped.is_unspecified
    return ip.is_loopback or ip.is_unspecified
