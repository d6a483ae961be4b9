"""The proof page of a finished hand, entries of the public chain, and deals given up.

The chain only grows and has no index by hand. Its numbers follow its times, so two binary
searches bound the entries to look at.

The page has a timeline of what was published when, the hands from the same shoe, and the entries of
the public chain that concern it. It holds no card; only the record does.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.models import ChainEntry, Hand, Shoe
from games.models.published import GIVEN_UP
from games.records.record import AUDITOR, every_state, hands_of
from games.records.reversals import KIND as REVERSAL
from games.records.reversals import KIND as TAKEN_BACK
from games.rules.cards import composition
from games.rules.shoe import CHAIN_START, context_value
from games.shoes import chain, deals
from games.shoes.witnesses import Signed, latest
from games.words.naming import card_sign
from games.words.refusals import reason_in_words
from wallets.models import Closing
from wallets.values.errors import Hidden

FORMAT: Final = "chain-entry/1"
# Entries carry the time at which their transaction began; their numbers come as they are written.
SLACK: Final = timedelta(minutes=1)
# The database cannot store numbers with more digits.
CODE: Final = re.compile(r"T([0-9]{1,18})-H([0-9]{1,18})")


def entries_of(shoe: Shoe, until: datetime | None) -> Iterator[ChainEntry]:
    """The linked entries of the public chain that concern a shoe, in their order."""
    entries = _between(shoe.sealed_at, until).filter(body__shoe=shoe.pk)
    yield from entries.exclude(position=None).order_by("position")


def entry_file(code: str) -> dict[str, object]:
    """A hand's entry in the chain, with all that is needed to hash it; it is public.

    A reversed hand has a second entry, as `taken_back` in the first.
    """
    hand = _hand(code)
    if not hand.was_paid or hand.ended_at is None:
        raise Hidden("not_in_chain", _n("The public chain holds no result of this hand."))
    end = _linked(hand, "hand", hand.ended_at)
    if hand.reversed_at is not None:
        end["taken_back"] = _linked(hand, TAKEN_BACK, hand.reversed_at)
    return {"format": FORMAT, **end}


def _hand(code: str) -> Hand:
    read = CODE.fullmatch(code)
    if read:
        table, number = map(int, read.groups())
        hand = Hand.objects.filter(table=table, number=number).first()
        if hand is not None and hand.code == code:
            return hand
    raise Hidden("no_such_hand", _n("There is no such hand."))


def _linked(hand: Hand, kind: str, at: datetime) -> dict[str, object]:
    entries = _between(at, at).filter(kind=kind, body__hand=hand.code).exclude(position=None)
    entry = entries.order_by("position").first()
    if entry is None or entry.position is None:
        raise Hidden(
            "not_linked_yet", _n("The result will appear in the public chain within a minute.")
        )
    return linked([entry])[0]


def linked(entries: Sequence[ChainEntry]) -> list[dict[str, object]]:
    """Linked entries, each with its head and the one before it, as hashing them needs."""
    places = [entry.position - 1 for entry in entries if entry.position]
    before = dict(ChainEntry.objects.filter(position__in=places).values_list("position", "head"))
    return [
        {
            "position": entry.position,
            "head": entry.head,
            "previous": before.get((entry.position or 0) - 1, CHAIN_START.hex()),
            "entry": chain.published_entry(entry),
        }
        for entry in entries
    ]


def entry_files(hands: Sequence[Hand]) -> dict[str, dict[str, object]]:
    """The same as `entry_file` for many hands, by their codes, without those not linked yet."""
    wanted = {hand.code for hand in hands}
    reversed_too = {hand.code for hand in hands if hand.reversed_at is not None}
    entries = ChainEntry.objects.filter(
        shoe__in={hand.shoe_id for hand in hands}, kind__in=("hand", TAKEN_BACK)
    ).exclude(position=None)
    rows = [entry for entry in entries.order_by("position") if entry.body.get("hand") in wanted]
    ends: dict[str, dict[str, object]] = {}
    for row, link in zip(rows, linked(rows), strict=True):
        code = row.body["hand"]
        if row.kind == "hand":
            ends.setdefault(code, {"format": FORMAT, **link})
        elif code in ends and code in reversed_too:
            ends[code].setdefault("taken_back", link)
    return {
        code: end for code, end in ends.items() if ("taken_back" in end) == (code in reversed_too)
    }


def _between(since: datetime, until: datetime | None) -> QuerySet[ChainEntry]:
    """All entries that may have been made between two times, and few others."""
    last = ChainEntry.objects.order_by("-pk").first()
    if last is None:
        return ChainEntry.objects.none()

    def made_at(number: int) -> datetime:
        following = ChainEntry.objects.filter(pk__gte=number).order_by("pk")
        return following.values_list("made_at", flat=True)[0]

    numbers = range(last.pk + 1)
    entries = ChainEntry.objects.filter(pk__gte=bisect_left(numbers, since - SLACK, key=made_at))
    if until is not None:
        entries = entries.filter(pk__lt=bisect_left(numbers, until + SLACK, key=made_at))
    return entries


SHOWN: Final = 50
# A shoe that was taken away before its lock says nothing of reveals.
_AFTER_LOCK: Final = ~Q(kind="void") | Q(body__has_key="reveals")


class AbandonedDeal(NamedTuple):
    position: int
    at: datetime
    # The code of the shoe, or of the hand.
    shoe: str
    hand: str
    what: object
    why: str


class Page(NamedTuple):
    rows: list[AbandonedDeal]
    # The entry before which the next page begins, if there is one.
    older: int | None


def page_before(position: int | None) -> Page:
    """The newest entries before a position, or the newest of all."""
    chain_entries = ChainEntry.objects.filter(GIVEN_UP, _AFTER_LOCK, position__isnull=False)
    if position is not None:
        chain_entries = chain_entries.filter(position__lt=position)
    entries = list(chain_entries.order_by("-position")[: SHOWN + 1])
    rows = [_row(entry) for entry in entries[:SHOWN]]
    return Page(rows, rows[-1].position if len(entries) > SHOWN else None)


def _row(entry: ChainEntry) -> AbandonedDeal:
    what = {
        "void": _("Shoe voided after its lock"),
        REVERSAL: _("Hand reversed after it was paid"),
    }.get(entry.kind, _("Hand voided while it ran"))
    # A shoe's reason is one of the house's own; staff's words about a hand are in no entry.
    why = reason_in_words(str(entry.body["reason"])) if entry.kind == "void" else ""
    return AbandonedDeal(
        position=entry.position or 0,
        at=entry.made_at,
        shoe=entry.shoe,
        hand=str(entry.body.get("hand", "")),
        what=what,
        why=why,
    )


CLOSINGS_SHOWN = 14
# The names of draws besides the cards, as players call them.
DRAWN: Final = {
    "wild": _("the card that names the first caller: number"),
    "bonus-card": _("bonus card"),
    "wheel-card": _("wheel card"),
    "lucky-card": _("lucky card"),
    "wheel": _("wheel: number"),
    "lucky-game": _("lucky game: number"),
}


class Given(NamedTuple):
    """The commit or the reveal of one seat."""

    seat: int
    player: str
    by_house: bool
    value: str


class Event(NamedTuple):
    """A line of the timeline, with what was published at that moment."""

    at: datetime | None
    words: str
    value: str = ""
    given: tuple[Given, ...] = ()


class ShoeHand(NamedTuple):
    """A hand from the same shoe, and whether the reader may open it."""

    hand: Hand
    may_see: bool


class Proof(NamedTuple):
    events: tuple[Event, ...]
    # The entry of the hand's result in the public chain; None until it has been linked.
    result: ChainEntry | None
    entries: tuple[ChainEntry, ...]
    # Only for a shoe of several hands.
    hands: tuple[ShoeHand, ...]
    cards: int
    house_only: bool
    # The last signature of each outside witness.
    witnessed: tuple[Signed, ...] = ()


def proof_for(hand: Hand, viewer: int | str | None) -> Proof:
    """The proof of a finished hand for a seat, an auditor, or a visitor with a link."""
    shoe = hand.shoe
    entries = tuple(entries_of(shoe, hand.ended_at))
    return Proof(
        events=tuple(_events(hand, entries, named=viewer is not None)),
        result=next(
            (
                entry
                for entry in entries
                if entry.kind == "hand" and entry.body.get("hand") == hand.code
            ),
            None,
        ),
        entries=entries,
        hands=_hands(hand, viewer),
        cards=len(composition(shoe.decks, shoe.jokers)),
        house_only=_house_only(shoe),
        witnessed=tuple(latest()),
    )


def _house_only(shoe: Shoe) -> bool:
    """Whether no player had a part in the mix."""
    if deal := deals.proof_of(shoe):
        return all(entrant.who == "house" for entrant in deal.entrants)
    return not shoe.seats.filter(by_house=False).exists()


def latest_closings() -> list[Closing]:
    """The newest closings of the books, the last first; they hold hashes and no amounts."""
    return list(Closing.objects.order_by("-pk")[:CLOSINGS_SHOWN])


def _events(hand: Hand, entries: tuple[ChainEntry, ...], *, named: bool) -> Iterator[Event]:
    shoe = hand.shoe
    parts = list(shoe.seats.select_related("player"))

    def given(what: str) -> tuple[Given, ...]:
        return tuple(
            Given(
                part.number,
                part.player.get_username() if named else "",
                part.by_house,
                getattr(part, what),
            )
            for part in parts
        )

    published = {entry.kind: entry.made_at for entry in entries}
    count = len(composition(shoe.decks, shoe.jokers))
    yield Event(
        shoe.sealed_at,
        gettext("The house had shuffled {count} cards and sealed their order.").format(count=count),
        shoe.seal,
    )
    yield Event(
        shoe.locked_at,
        gettext("Until then each seat committed to its own secret number."),
        given=given("commit"),
    )
    yield Event(shoe.locked_at, gettext("Seal and commitments were locked together."), shoe.lock)
    mixed_at = published.get("reveal")
    yield Event(mixed_at, gettext("The secret numbers were shown."), given=given("reveal"))
    yield Event(mixed_at, gettext("Together they decide the place of every card."), shoe.mix)
    yield from _deal(hand)
    if hand.was_paid:
        yield Event(hand.ended_at, gettext("The hand ended."))
    if hand.status == Hand.Status.VOID:
        at = hand.reversed_at or hand.ended_at
        words = (
            gettext("The hand was reversed.") if hand.was_paid else gettext("The hand was voided.")
        )
        yield Event(at, words, hand.why_void)


def _deal(hand: Hand) -> Iterator[Event]:
    """The times of the first and the last card of a hand, and its draws."""
    game, path = every_state(hand)
    times = [hand.started_at, *hand.moves.order_by("number").values_list("at", flat=True)]
    dealt = [game.dealt(state) for state in path]
    count = dealt[-1]
    if not count:
        return
    first = times[next(at for at, so_far in enumerate(dealt) if so_far)]
    yield Event(
        first,
        gettext("The first card was dealt: card {place} of the shoe.").format(
            place=hand.first_card + 1
        ),
    )
    if hand.draws:
        drawn = ", ".join(f"{DRAWN[draw['label']]} {_drawn(draw)}" for draw in hand.draws)
        yield Event(first, gettext("The other draws of the hand were made."), drawn)
    yield Event(
        times[dealt.index(count)],
        gettext("The last card was dealt: card {place} of the shoe.").format(
            place=hand.first_card + count
        ),
    )


def _drawn(draw: Mapping[str, Any]) -> str:
    value = context_value(draw["label"], draw["value"])
    return card_sign(value) if isinstance(value, str) else str(value)


def _hands(hand: Hand, viewer: int | str | None) -> tuple[ShoeHand, ...]:
    """All finished hands from the shoe, if there is more than one."""
    rounds = list(hand.shoe.hands.exclude(status=Hand.Status.LIVE).order_by("number"))
    if len(rounds) < 2:
        return ()
    seen = {hand.pk}
    if isinstance(viewer, int):
        player = hand.seats.select_related("player").get(number=viewer).player
        seen |= set(hands_of(player).filter(shoe=hand.shoe).values_list("pk", flat=True))
    return tuple(
        ShoeHand(shoe_hand, viewer == AUDITOR or shoe_hand.pk in seen) for shoe_hand in rounds
    )
