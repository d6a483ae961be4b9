"""Cards, words of the rules, lines of a settlement, and lookups in templates."""

from typing import Any, Final

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.boards import chips
from games.boards.forms import Button
from games.boards.keys import key_of_button
from games.boards.settlement_text import party_in_words, sentence_of_line
from games.boards.spots import Box
from games.models import Hand
from games.rules.settlement import StoredLine
from games.templatetags import cards
from games.templatetags.remembered import remembered
from games.words.naming import card_name, player_title
from games.words.naming import term as word_of
from games.words.strengths import MARKS
from wallets.models import Currency

register = template.Library()

register.filter(cards.card)
register.filter(cards.card_kind)
register.filter(card_name)
register.filter(player_title)
register.simple_tag(cards.card_back)
register.simple_tag(remembered)


@register.filter
def term(word: object) -> str:
    """A word of the rules."""
    return word_of(word)


@register.filter
def strength_mark(strength: str) -> str:
    """How well a bot plays, as its plate says it."""
    return str(MARKS[strength])


@register.filter
def join_names(seats: Any) -> str:
    """The players of some seats, joined in a list."""
    return _(", ").join(seat.player for seat in seats)


@register.filter
def at(mapping: object, key: object) -> object:
    """The value of a mapping for a key."""
    return mapping.get(key) if hasattr(mapping, "get") else None


# The attributes of a seat that a plate shows, and the published ones of a shoe.
PLATE: Final = (
    *("player", "face", "is_bot", "strength", "stack", "stood"),
    *("auto_play", "sits_out", "offline", "leaves"),
)
SEALED: Final = ("code", "seal", "lock", "mix", "decks", "cards_dealt")


@register.simple_tag
def plate(
    seat: Any, view: object, results: dict[int, int], roles: dict[int, str], currency: Currency
) -> SafeString:
    """Return the plate of the player at a place."""
    facts = {name: getattr(seat, name, None) for name in PLATE}
    facts["stack"] = getattr(seat, "free", seat.stack)
    if getattr(seat, "came_since", False):
        # The result and the cards belong to the seat's former player.
        view, results, roles = None, {}, {}
    return remembered(
        "games/plate.html",
        role=roles.get(seat.number, "") if view else "",
        left=(getattr(view, "cards_left", None) or {}).get(seat.number),
        net=(results or {}).get(seat.number),
        currency=currency,
        **facts,
    )


@register.simple_tag
def sealed(shoe: object, commits: dict[int, str], hand: Hand | None) -> SafeString:
    """The published proof of a shoe that is still dealt from."""
    facts = {name: getattr(shoe, name) for name in SEALED}
    code = hand.code if hand else ""
    return remembered("games/proof_live.html", hand=code, commits=tuple(commits.items()), **facts)


@register.simple_tag
def bet_box(box: Box, seat: int, names: dict[int, str], currency: Currency) -> SafeString:
    """A box to bet on, with what others have bet on it."""
    others = tuple(
        (names.get(one.seat), one.ante if hasattr(one, "ante") else one.bet)
        for one in box.bets
        if one.seat != seat
    )
    facts = box._replace(bets=())._asdict()
    return remembered("games/betting_box.html", others=others, currency=currency, **facts)


@register.filter
def key_of(button: Button, do: str) -> str:
    """The key that presses a button of an action, where it has one (`keys.js`)."""
    return key_of_button(do, button)


@register.filter
def stacked(amount: int, currency: Currency) -> tuple[int, ...]:
    """The values of the chips that a sum lies in."""
    return chips.stack(amount, currency.exponent)


@register.filter
def chip_value(amount: int, currency: Currency) -> int:
    """The value whose colour a chip has."""
    return chips.value_of(amount, currency.exponent)


@register.filter
def of_seat(things: Any, seat: int) -> list[object]:
    """The things that belong to a seat."""
    return [thing for thing in things if thing.seat == seat]


@register.filter
def of_box(things: Any, box: int) -> list[object]:
    """The things that belong to a box."""
    return [thing for thing in things if thing.box == box]


@register.filter
def get(thing: object, name: str) -> object:
    """An attribute whose name is a value; `None` where there is none."""
    return getattr(thing, name, None)


@register.simple_tag
def line(entry: StoredLine, seats: dict[int, str], currency: Currency) -> str:
    """A settlement line as a sentence."""
    return sentence_of_line(entry, seats, currency)


@register.simple_tag
def box_ended(house: Any, box: int) -> str:
    """The result of a box for the viewer as a CSS class, which says where its chips go."""
    result = house.boxes.get(box) if house else None
    net = result.net if result else 0
    return " won" if net > 0 else " lost" if net < 0 else ""


@register.simple_tag
def party(name: str, seats: dict[int, str]) -> str:
    """A party of a settlement by its name."""
    return party_in_words(name, seats)
