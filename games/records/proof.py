"""The proof page of a finished hand, with the record that a browser checks.

It has a timeline of what was published when, the hands from the same shoe, and the entries of the
public chain that concern it. It holds no card; only the record does.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.models import ChainEntry, Hand, Shoe
from games.records.chain_entries import entries_of
from games.records.record import AUDITOR, every_state, hands_of
from games.rules.cards import composition
from games.rules.shoe import context_value
from games.shoes import deals
from games.shoes.witnesses import Signed, latest
from games.words.naming import card_sign
from wallets.models import Closing

CLOSINGS_SHOWN = 14
# The names of draws besides the cards, as players call them.
DRAWN: Final = {
    "wild": _l("the card that names the first caller: number"),
    "bonus-card": _l("bonus card"),
    "wheel-card": _l("wheel card"),
    "lucky-card": _l("lucky card"),
    "wheel": _l("wheel: number"),
    "lucky-game": _l("lucky game: number"),
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
            (one for one in entries if one.kind == "hand" and one.body.get("hand") == hand.code),
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
        return all(one.who == "house" for one in deal.entrants)
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
        _("The house had shuffled {count} cards and sealed their order.").format(count=count),
        shoe.seal,
    )
    yield Event(
        shoe.locked_at,
        _("Until then each seat committed to its own secret number."),
        given=given("commit"),
    )
    yield Event(shoe.locked_at, _("Seal and commitments were locked together."), shoe.lock)
    mixed_at = published.get("reveal")
    yield Event(mixed_at, _("The secret numbers were shown."), given=given("reveal"))
    yield Event(mixed_at, _("Together they decide the place of every card."), shoe.mix)
    yield from _deal(hand)
    if hand.was_paid:
        yield Event(hand.ended_at, _("The hand ended."))
    if hand.status == Hand.Status.VOID:
        at = hand.reversed_at or hand.ended_at
        words = _("The hand was reversed.") if hand.was_paid else _("The hand was voided.")
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
        _("The first card was dealt: card {place} of the shoe.").format(place=hand.first_card + 1),
    )
    if hand.draws:
        drawn = ", ".join(f"{DRAWN[draw['label']]} {_drawn(draw)}" for draw in hand.draws)
        yield Event(first, _("The other draws of the hand were made."), drawn)
    yield Event(
        times[dealt.index(count)],
        _("The last card was dealt: card {place} of the shoe.").format(
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
    return tuple(ShoeHand(one, viewer == AUDITOR or one.pk in seen) for one in rounds)
