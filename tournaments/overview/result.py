"""A player's result in an event: the prize less what the entry cost, and its parts."""

from typing import NamedTuple

from tournaments.models import Entry
from wallets.values.amounts import show_amount, show_signed


class Result(NamedTuple):
    """The net of one entry as text, and what it is made of; empty parts are not shown."""

    net: str
    amount: int
    prize: str
    stake: str
    fee: str
    currency: str


def net_of(entry: Entry) -> int:
    return entry.prize - entry.stake_paid - entry.fee_paid


def is_final(entry: Entry) -> bool:
    """Whether the net can no longer change: prizes are known, and stakes are returned."""
    return entry.state not in Entry.LEFT and (entry.prize > 0 or entry.tournament.is_over)


def result_of(entry: Entry | None) -> Result | None:
    """Return the net of an entry, once it can no longer change."""
    if entry is None or not is_final(entry):
        return None
    currency, net = entry.tournament.currency, net_of(entry)
    prize, stake, fee = (
        show_amount(part, currency) if part else ""
        for part in (entry.prize, entry.stake_paid, entry.fee_paid)
    )
    return Result(show_signed(net, currency), net, prize, stake, fee, currency.unit)
