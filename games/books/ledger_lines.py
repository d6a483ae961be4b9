"""What the ledger moved for a hand, each entry beside the settlement lines that it came from.

A line moves an amount from one party to another; all lines of one party add up to what the ledger
moved on that party's account, to the minor unit.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from games.history import AUDITOR
from games.models import Hand, Seat
from games.words.naming import term
from wallets.holders import player_reference
from wallets.models import Account, Entry, Jackpot

HOUSE, RAKE = "house", "rake"


class Reason(NamedTuple):
    """A settlement line, and what it does to the account it stands with."""

    line: dict[str, Any]
    amount: int


class LedgerLine(NamedTuple):
    """One entry of the posting, its account in words, and the lines that add up to it."""

    party: str
    words: str
    address: str
    amount: int
    balance: int | None
    reasons: list[Reason]

    @property
    def fits(self) -> bool:
        return sum(reason.amount for reason in self.reasons) == self.amount


def ledger_lines(hand: Hand, viewer: int | str | None, names: dict[int, str]) -> list[LedgerLine]:
    """A player sees the own entry and the house's; an auditor every one with its balance."""
    entries = (
        Entry.objects.filter(transaction__key=hand.posting).select_related("account").order_by("pk")
        if hand.posting
        else Entry.objects.none()
    )
    parties = _parties(hand)
    found = []
    for entry in entries:
        party = parties.get(entry.account_id) or str(entry.account.kind)
        mine = isinstance(viewer, int) and party == str(viewer)
        if viewer != AUDITOR and party.isdecimal() and not mine:
            continue
        found.append(
            LedgerLine(
                party=party,
                words=_words(party, names, mine=mine),
                address=_address(hand, party) if mine or viewer == AUDITOR else "",
                amount=entry.amount,
                balance=entry.balance_after if mine or viewer == AUDITOR else None,
                reasons=list(_reasons(hand, party)),
            )
        )
    # One's own purse first, then the others, then the house.
    return sorted(found, key=lambda one: (one.party != str(viewer), not one.party.isdecimal()))


class GivenBack(NamedTuple):
    """One entry of the posting that gave a hand's money back."""

    words: str
    address: str
    amount: int
    balance: int | None


def given_back(hand: Hand, viewer: int | str | None, names: dict[int, str]) -> list[GivenBack]:
    """A player sees what came back to them or was taken from them; an auditor every entry."""
    if hand.reversal is None:
        return []
    whose = {player_reference(row.player_id): row.number for row in hand.seats.all()}
    stays = Seat.objects.filter(table=hand.table_id, player__hands__hand=hand)
    whose |= {seat.reference: whose[player_reference(seat.player_id)] for seat in stays}
    parties = _parties(hand)
    entries = Entry.objects.filter(transaction__key=hand.reversal).select_related("account")
    told = []
    for entry in entries.order_by("pk"):
        owner, kind = entry.account.owner, entry.account.kind
        mine = whose.get(owner) == viewer
        if not mine and viewer != AUDITOR:
            continue
        words = _words(parties.get(entry.account_id, kind), names, mine=False)
        if kind == Account.Kind.PROMOTION:
            words = _("The house makes good")
        elif owner in whose:
            wallet = kind == Account.Kind.PLAYER
            words = _("My seat") if mine else names.get(whose[owner], "")
            if wallet:
                words = _("My wallet") if mine else _("{name}: wallet").format(name=words)
        stack = kind == Account.Kind.STACK
        address = reverse("stay", args=[owner.partition(":")[2]]) if stack else ""
        told.append(GivenBack(words, address, entry.amount, entry.balance_after))
    return told


def _parties(hand: Hand) -> dict[int, str]:
    """What the settlement calls the owners of the accounts that a hand can move."""
    parties = {
        account: str(number)
        for number, account in hand.seats.values_list("number", "seat__stack_id")
    }
    pools = Jackpot.objects.filter(pk__in=hand.jackpots.values()).values_list("kind", "pool_id")
    parties |= {pool: kind for kind, pool in pools}
    own = Account.objects.filter(owner=hand.table.reference, kind__in=(HOUSE, RAKE))
    return parties | dict(own.values_list("pk", "kind"))


def _words(party: str, names: dict[int, str], *, mine: bool) -> str:
    if mine:
        return _("My seat")
    if party.isdecimal():
        return names.get(int(party), party)
    if party == HOUSE:
        return _("The house")
    if party == RAKE:
        return _("Rake")
    return _("The {pool} pool").format(pool=term(party))


def _address(hand: Hand, party: str) -> str:
    """Where the account's statement stands: that of a seat."""
    if not party.isdecimal():
        return ""
    return reverse("stay", args=[hand.seats.get(number=int(party)).seat.code])


def _reasons(hand: Hand, party: str) -> Iterator[Reason]:
    for line in (hand.settlement or {}).get("lines", ()):
        amount = line["amount"]
        if str(line["target"]) == party:
            yield Reason(line, amount)
        elif str(line["source"]) == party:
            yield Reason(line, -amount)
