"""What went from player to player in a settlement, for integrity and for the office."""

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any


def net_flows(settlement: Mapping[str, Any], seats: Collection[int]) -> dict[tuple[int, int], int]:
    """The net amount from the first to the second seat of each pair, nothing included.

    The bank has no number among the seats, so what it paid or took is left out.
    """
    net = dict.fromkeys(combinations(sorted(seats), 2), 0)
    numbers = {str(seat): seat for seat in seats}
    for source_name, target_name, amount, _reason in settlement.get("transfers", ()):
        source, target = numbers.get(source_name, 0), numbers.get(target_name, 0)
        if (source, target) in net:
            net[source, target] += amount
        elif (target, source) in net:
            net[target, source] -= amount
    return net
