"""What the proof of a finished hand tells its reader, beside the record that a browser checks.

A timeline of what was published when, the hands that came out of the same shoe, and the entries of
the public chain that concern it. No card is told here: cards are in the record alone.
"""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.history import AUDITOR, every_state, hands_of
from games.models import ChainEntry, Hand, Shoe
from games.rules.cards import composition
from games.rules.shoe import told
from games.words.naming import card_sign
from wallets.models import Closing

# Entries carry the time at which their transaction began; their numbers come as they are written.
SLACK = timedelta(minutes=1)
CLOSINGS_SHOWN = 14
# What is drawn beside the cards, as players call it.
DRAWN: Final = {
    "wild": _l("the card that names the first caller: number"),
    "bonus-card": _l("bonus card"),
    "wheel-card": _l("wheel card"),
    "lucky-card": _l("lucky card"),
    "wheel": _l("wheel: number"),
    "lucky-game": _l("lucky game: number"),
}


class Given(NamedTuple):
    """What one seat gave to the shoe."""

    seat: int
    player: str
    by_house: bool
    value: str


class Event(NamedTuple):
    """One thing that happened to the shoe or the hand, and what was published with it."""

    at: datetime | None
    words: str
    value: str = ""
    given: tuple[Given, ...] = ()


class ShoeHand(NamedTuple):
    """A hand from the same shoe; whether the reader may open it."""

    hand: Hand
    may_see: bool


class Proof(NamedTuple):
    events: tuple[Event, ...]
    # Where the hand's result stands in the public chain; None until it has been linked.
    result: ChainEntry | None
    entries: tuple[ChainEntry, ...]
    # Only of a shoe that lasts for several hands.
    hands: tuple[ShoeHand, ...]
    cards: int
    house_only: bool


def proof_told(hand: Hand, viewer: int | str | None) -> Proof:
    """The proof of a finished hand for a seat, an auditor, or somebody who was sent a link."""
    shoe = hand.shoe
    entries = tuple(_entries_of(shoe, hand.ended_at))
    return Proof(
        events=tuple(_events(hand, entries, named=viewer is not None)),
        result=next(
            (one for one in entries if one.kind == "hand" and one.body.get("hand") == hand.code),
            None,
        ),
        entries=entries,
        hands=_hands(hand, viewer),
        cards=len(composition(shoe.decks, shoe.jokers)),
        house_only=not shoe.seats.filter(by_house=False).exists(),
    )


def latest_closings() -> list[Closing]:
    """The newest closings of the books, the last first. They are hashes and tell no amounts."""
    return list(Closing.objects.order_by("-pk")[:CLOSINGS_SHOWN])


def _entries_of(shoe: Shoe, until: datetime | None) -> Iterator[ChainEntry]:
    """The linked entries of the public chain that concern a shoe, in their order."""
    last = ChainEntry.objects.order_by("-pk").first()
    if last is None:
        return

    def made_at(number: int) -> datetime:
        following = ChainEntry.objects.filter(pk__gte=number).order_by("pk")
        return following.values_list("made_at", flat=True)[0]

    # The chain grows for ever and is not indexed by shoe: its numbers follow its times.
    numbers = range(last.pk + 1)
    begin = bisect_left(numbers, shoe.sealed_at - SLACK, key=made_at)
    found = ChainEntry.objects.filter(pk__gte=begin, body__shoe=shoe.pk)
    if until is not None:
        found = found.filter(pk__lt=bisect_left(numbers, until + SLACK, key=made_at))
    yield from found.exclude(position=None).order_by("position")


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
        _("The house had shuffled {count} cards and sealed their order.").format(count=count),
        shoe.seal,
    )
    yield Event(
        shoe.locked_at,
        _("Until then each seat committed to a secret number of its own."),
        given=given("commit"),
    )
    yield Event(shoe.locked_at, _("Seal and commitments were locked together."), shoe.lock)
    mixed_at = published.get("reveal")
    yield Event(mixed_at, _("The secret numbers were shown."), given=given("reveal"))
    yield Event(mixed_at, _("Mixed together they decide where every card lies."), shoe.mix)
    yield from _deal(hand)
    if hand.was_paid:
        yield Event(hand.ended_at, _("The hand ended."))
    if hand.status == Hand.Status.VOID:
        at = hand.reversed_at or hand.ended_at
        yield Event(at, _("The hand was taken back."), hand.why_void)


def _deal(hand: Hand) -> Iterator[Event]:
    """When the first and the last card of a hand were dealt, and what was drawn."""
    game, path = every_state(hand)
    times = [hand.started_at, *hand.moves.order_by("number").values_list("at", flat=True)]
    dealt = [game.dealt(state) for state in path]
    count = dealt[-1]
    if not count:
        return
    first = times[next(at for at, so_far in enumerate(dealt) if so_far)]
    yield Event(
        first,
        _("The first card was dealt: card {place} of the shoe.").format(place=hand.first_card + 1),
    )
    if hand.draws:
        drawn = ", ".join(f"{DRAWN[draw['label']]} {_drawn(draw)}" for draw in hand.draws)
        yield Event(first, _("What is drawn beside the cards was drawn."), drawn)
    yield Event(
        times[dealt.index(count)],
        _("The last card was dealt: card {place} of the shoe.").format(
            place=hand.first_card + count
        ),
    )


def _drawn(draw: dict[str, Any]) -> str:
    value = told(draw["label"], draw["value"])
    return card_sign(value) if isinstance(value, str) else str(value)


def _hands(hand: Hand, viewer: int | str | None) -> tuple[ShoeHand, ...]:
    """The hands that were dealt from a shoe that lasts."""
    rounds = list(hand.shoe.hands.exclude(status=Hand.Status.LIVE).order_by("number"))
    if len(rounds) < 2:
        return ()
    seen = {hand.pk}
    if isinstance(viewer, int):
        player = hand.seats.select_related("player").get(number=viewer).player
        seen |= set(hands_of(player).filter(shoe=hand.shoe).values_list("pk", flat=True))
    return tuple(ShoeHand(one, viewer == AUDITOR or one.pk in seen) for one in rounds)
