"""Addresses on the internet, as opposed to those of an internal network."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

# In these networks an IPv6 address is the way to an IPv4 address, which is its end.
TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address is on the internet, and is not the way to one that is not."""
    ip = ip_address(address.partition("%")[0])
    ends = [ip, *_ends_of(ip)]
    return all(end.is_global and not end.is_multicast for end in ends)


def _ends_of(pv6_address: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(pv6_address, IPv4Address):
        return []
    translated = IPv4Address(int(pv6_address) & 0xFFFFFFFF) if pv6_address in TRANSLATED else None
    tunnelled = pv6_address.teredo[1] if pv6_address.teredo else None
    return [
        address for address in (pv6_address.sixtofour, tunnelled, translated) if address is not None
    ]
