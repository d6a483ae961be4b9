"""The ledger's entries for a hand, its links to hands and seats, and what players exchanged.

A line moves an amount from one party to another. All lines of a party add up to what the ledger
moved on its account, to the minor unit.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Model, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Hand, Seat, Table
from games.records.record import AUDITOR
from games.words.naming import term
from wallets.models import Account, Entry, Jackpot
from wallets.models.holders import player_reference
from wallets.money import accounts
from wallets.money.references import CHECKS, FINDERS, Link


def tables(references: list[str]) -> dict[str, Link]:
    """Links to tables, for references such as `table:7`."""
    tables = Table.objects.filter(pk__in=_numbers(references))
    return {
        table.reference: Link(reverse("table", args=[table.pk]), table.title) for table in tables
    }


def hands(references: list[str]) -> dict[str, Link]:
    """Links to hands, for references such as `hand:12`."""
    hands = Hand.objects.filter(pk__in=_numbers(references))
    return {hand.reference: Link(reverse("hand", args=[hand.pk]), hand.code) for hand in hands}


def seats(references: list[str]) -> dict[str, Link]:
    """Links to the statements of stacks, for references such as `seat:…`."""
    seats = Seat.objects.filter(code__in=_codes(references)).select_related("table")
    return {
        seat.reference: Link(
            reverse("stay", args=[seat.code]),
            _("seat {number} at {table}").format(number=seat.number, table=seat.table.title),
        )
        for seat in seats
    }


def stacks(player_id: int) -> QuerySet[Model, int]:
    """The accounts of a player's stacks, of earlier seats too."""
    return Seat.objects.filter(player=player_id).values_list("stack_id", flat=True)


def without_hand(postings: Iterable[tuple[UUID, str, str]]) -> list[UUID]:
    """The keys of postings (key, kind, reference) whose hand is missing or names another key."""
    postings = list(postings)
    try:
        named_hands = Hand.objects.filter(
            pk__in=_numbers([reference for *_, reference in postings])
        )
        rows = list(named_hands.values_list("pk", "posting", "reversal"))
    except ValueError:
        # One unreadable hand must not hide the others: check each posting by itself.
        if len(postings) == 1:
            return [postings[0][0]]
        return [key for posting in postings for key in without_hand([posting])]
    hands = {
        f"hand:{number}": {"hand": posting, "hand_void": reversal}
        for number, posting, reversal in rows
    }
    return [key for key, kind, reference in postings if hands.get(reference, {}).get(kind) != key]


def _codes(references: list[str]) -> list[UUID]:
    codes = []
    for reference in references:
        with suppress(ValueError):
            codes.append(UUID(reference.partition(":")[2]))
    return codes


def _numbers(references: list[str]) -> list[int]:
    suffixes = [reference.partition(":")[2] for reference in references]
    return [int(suffix) for suffix in suffixes if suffix.isdecimal()]


def tell_wallets() -> None:
    FINDERS.add("table", tables)
    FINDERS.add("hand", hands)
    FINDERS.add("seat", seats)
    accounts.STACKS.add("seats", stacks)
    for kind in ("hand", "hand_void"):
        CHECKS.add(kind, without_hand)


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


HOUSE, RAKE = "house", "rake"


class Reason(NamedTuple):
    """A settlement line, and the amount that it adds to the account of its party."""

    line: dict[str, object]
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
    """A player sees their own entry and the house's; an auditor all entries with balances.

    A party whose lines add up to nothing has no entry, and is listed with 0.
    """
    entries = (
        Entry.objects.filter(transaction__key=hand.posting).select_related("account").order_by("pk")
        if hand.posting
        else Entry.objects.none()
    )
    parties = _parties(hand)
    lines = []
    for entry in entries:
        party = parties.get(entry.account_id) or str(entry.account.kind)
        mine = isinstance(viewer, int) and party == str(viewer)
        if viewer != AUDITOR and party.isdecimal() and not mine:
            continue
        shows_stack = viewer == AUDITOR or (mine and not hand.table.currency.is_chips)
        lines.append(
            LedgerLine(
                party=party,
                words=_words(party, names, mine=mine),
                address=_address(hand, party) if shows_stack else "",
                amount=entry.amount,
                balance=entry.balance_after if mine or viewer == AUDITOR else None,
                reasons=list(_reasons(hand, party)),
            )
        )
    lines += _unmoved(hand, {line.party for line in lines}, viewer, names)
    # The viewer's own stack first, then the others, then the house.
    return sorted(lines, key=lambda line: (line.party != str(viewer), not line.party.isdecimal()))


def _unmoved(
    hand: Hand, listed: set[str], viewer: int | str | None, names: dict[int, str]
) -> Iterator[LedgerLine]:
    """The seats whose settlement lines add up to nothing, so that the ledger has no entry."""
    lines = (hand.settlement or {}).get("lines", ())
    parties = {str(line[end]) for line in lines for end in ("source", "target")}
    for party in sorted(parties - listed):
        mine = party == str(viewer)
        if party.isdecimal() and (mine or viewer == AUDITOR):
            words = _words(party, names, mine=mine)
            yield LedgerLine(party, words, "", 0, None, list(_reasons(hand, party)))


class GivenBack(NamedTuple):
    """One entry of the posting that reversed a hand."""

    words: str
    address: str
    amount: int
    balance: int | None


def given_back(hand: Hand, viewer: int | str | None, names: dict[int, str]) -> list[GivenBack]:
    """A player sees the entries on their own accounts; an auditor sees all."""
    if hand.reversal is None:
        return []
    whose = {player_reference(row.player_id): row.number for row in hand.seats.all()}
    seats = Seat.objects.filter(table=hand.table_id, player__hands__hand=hand)
    whose |= {seat.reference: whose[player_reference(seat.player_id)] for seat in seats}
    parties = _parties(hand)
    entries = Entry.objects.filter(transaction__key=hand.reversal).select_related("account")
    backs = []
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
        backs.append(GivenBack(words, address, entry.amount, entry.balance_after))
    return backs


def _parties(hand: Hand) -> dict[int, str]:
    """The name of each account of a hand in its settlement, by the account's number."""
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
    """The address of the account's statement; only seats have one."""
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
