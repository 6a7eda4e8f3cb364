"""Network addresses: whether one is among those that a setting names."""

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address, ip_network


def is_among(address: str, networks: Iterable[str]) -> bool:
    """Whether the address is in one of the networks; ``*`` is all of them. What is no address is in none."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return any(network == "*" or found in ip_network(network, strict=False) for network in networks)
