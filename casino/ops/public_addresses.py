"""Addresses on the internet, as opposed to those of an internal network."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

# In these networks an IPv6 address is the way to an IPv4 address, which is its end.
TRANSLATED: Final = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address is on the internet, and is not the way to one that is not."""
    found = ip_address(address.partition("%")[0])
    ends = [found, *_ends_of(found)]
    return all(one.is_global and not one.is_multicast for one in ends)


def _ends_of(found: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(found, IPv4Address):
        return []
    translated = IPv4Address(int(found) & 0xFFFFFFFF) if found in TRANSLATED else None
    tunnelled = found.teredo[1] if found.teredo else None
    return [one for one in (found.sixtofour, tunnelled, translated) if one is not None]
