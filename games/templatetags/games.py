"""Cards, words of the rules, lines of a settlement, and lookups in templates."""

from collections import Counter
from typing import Any, Final

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.boards.betting import Box
from games.boards.lines import party_in_words, sentence_of_line
from games.models import Hand
from games.rules.cards import ACE, Card
from games.rules.doudizhu.ranks import in_order
from games.templatetags import cards, chips
from games.templatetags.remembered import remembered
from games.words.naming import term as word_of
from wallets.models import Currency

register = template.Library()

register.filter(cards.card)
register.simple_tag(cards.card_as)
register.simple_tag(cards.card_back)
register.simple_tag(cards.dealer_button)
register.simple_tag(chips.chip)
register.simple_tag(chips.stack)
register.simple_tag(remembered)


@register.filter
def held(hand: Any) -> list[Card]:
    """Cards in the order in which one holds them."""
    return list(in_order(hand))


@register.filter
def grouped(row: Any) -> list[Card]:
    """The cards of a row: what is held most often first, then the highest."""
    often = Counter(card.rank for card in row)
    return sorted(row, key=lambda card: (often[card.rank], card.rank, card.suit), reverse=True)


@register.filter
def term(word: object) -> str:
    """A word of the rules."""
    return word_of(word)


@register.filter
def join_names(seats: Any) -> str:
    """The players of some seats, one behind the other."""
    return _(", ").join(seat.player for seat in seats)


@register.filter
def blackjack_total(hand: Any) -> str:
    """What cards count at blackjack, spelt: `soft 17`."""
    least = sum(1 if card.rank == ACE else min(card.rank, 10) for card in hand)
    if len(hand) == 1 and least == 1:
        # An ace that lies alone says both.
        return "1/11"
    if least <= 11 and any(card.rank == ACE for card in hand):
        return _("soft {points}").format(points=least + 10)
    return str(least)


@register.filter
def at(mapping: Any, key: Any) -> Any:
    """What a mapping holds for a key."""
    return mapping.get(key) if hasattr(mapping, "get") else None


# What a plate tells of a seat, and what is published of a shoe, by their own names.
PLATE: Final = ("player", "is_bot", "purse", "stood", "trustee", "sits_out", "absent", "leaves")
SEALED: Final = ("code", "seal", "lock", "mix", "decks", "cards_dealt")


@register.simple_tag
def plate(
    seat: Any, view: Any, results: dict[int, int], family: str, currency: Currency
) -> SafeString:
    """Who sits at a place."""
    facts = {name: getattr(seat, name, None) for name in PLATE}
    if getattr(seat, "came_since", False):
        # What the seat won or holds is another's.
        view, results = None, {}
    return remembered(
        "games/plate.html",
        role=_role(seat.number, view, family),
        left=(getattr(view, "cards_left", None) or {}).get(seat.number),
        net=(results or {}).get(seat.number),
        currency=currency,
        **facts,
    )


def _role(number: int, view: Any, family: str) -> str:
    for role in ("landlord", "banker"):
        if getattr(view, role, None) == number:
            return role
    dealer = family != "doudizhu" and getattr(view, "button", None) == number
    return "dealer" if dealer else ""


@register.simple_tag
def sealed(shoe: Any, commits: dict[int, str], hand: Hand | None) -> SafeString:
    """What is known of a shoe while it is dealt from."""
    facts = {name: getattr(shoe, name) for name in SEALED}
    told = hand.code if hand else ""
    return remembered("games/proof_live.html", hand=told, commits=tuple(commits.items()), **facts)


@register.simple_tag
def bet_box(box: Box, seat: int, names: dict[int, str], currency: Currency) -> SafeString:
    """A box to bet on, with what others have bet on it."""
    others = tuple(
        (names.get(bet.seat), bet.stake if hasattr(bet, "stake") else bet.ante)
        for bet in box.bets
        if bet.seat != seat
    )
    facts = box._replace(bets=())._asdict()
    return remembered("games/betting_box.html", others=others, currency=currency, **facts)


@register.simple_tag
def slots(cards: Any, rows: dict[Card, str], row: str, received: Any) -> SafeString:
    """Those of one's cards that lie in a row, or, without a row, in the hand."""
    parts = [
        remembered("games/slot.html", one=one, row=row, received=one in received)
        for one in cards
        if rows.get(one, "") == row
    ]
    return mark_safe("".join(parts))  # noqa: S308 - each is markup already


@register.filter
def of_seat(things: Any, seat: int) -> list[Any]:
    """Those of some things that belong to a seat."""
    return [thing for thing in things if thing.seat == seat]


@register.filter
def of_box(things: Any, box: int) -> list[Any]:
    """Those of some things that belong to a box."""
    return [thing for thing in things if thing.box == box]


@register.filter
def staked_by(hand: Any, box: Any) -> list[tuple[Any, int]]:
    """The players of a box with what they have on one of its hands; who has nothing is left out."""
    staked = zip(box.players, hand.stakes, strict=True)
    return [(player, stake) for player, stake in staked if stake]


@register.filter
def get(thing: Any, name: str) -> Any:
    """An attribute whose name is a value; `None` where there is none."""
    return getattr(thing, name, None)


@register.simple_tag
def line(told: dict[str, Any], seats: dict[int, str], currency: Currency) -> str:
    """A settlement line as a sentence."""
    return sentence_of_line(told, seats, currency)


@register.simple_tag
def box_ended(house: Any, box: int) -> str:
    """How a box came out for the viewer, as a class: it says where its chips go."""
    net = house.boxes.get(box, 0) if house else 0
    return " won" if net > 0 else " lost" if net < 0 else ""


@register.simple_tag
def party(told: str, seats: dict[int, str]) -> str:
    """A party of a settlement by its name."""
    return party_in_words(told, seats)
