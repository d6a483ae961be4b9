"""Functions for templates of pieces: lookups, words, amounts, addresses, and parts that are
remembered.

The functions of a family are in `games/families/<family>/tags.py`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from secrets import token_hex
from typing import Any, Final

from django.template.defaultfilters import capfirst
from django.templatetags.static import static
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext
from markupsafe import Markup

from games.boards import betting
from games.boards.family import OpenHand, family_named
from games.boards.forms import Button
from games.boards.keys import key_of_button
from games.boards.pieces.engine import Functions, joined, remembered
from games.boards.settlement_view import party_in_words, sentence_of_line, settlement_view
from games.boards.spots import Box
from games.rules.cards import Card
from games.rules.contract import View
from games.words.naming import card_name, high_card, player_title, term
from games.words.players import FACES, LEVEL_NAMES, MARKS, NOBODY
from wallets.models import Currency
from wallets.values.amounts import amount_for_input, show_amount, show_signed

# A page shows a card many times and there are few cards, so each is rendered once in each
# language.

JOKERS: Final = ("BJ", "RJ")


def card(shown: Card | str) -> Markup:
    """One card, face up."""
    return remembered("card.html", text=shown if isinstance(shown, str) else shown.text)


def card_back() -> Markup:
    """A card that the viewer may not see."""
    return remembered("back.html")


def card_kind(text: str) -> str:
    """The class of a card, which sets its colour."""
    return f"joker-{text}" if text in JOKERS else f"suit-{text[1]}"


def cards_row(cards: Iterable[Card]) -> Markup:
    """Cards side by side, in the given order."""
    return joined(map(card, cards))


def icon(name: str) -> Markup:
    """An icon of the house, silent: the text next to it says what it means."""
    return remembered("icon.html", name=name)


def face(number: object) -> Markup:
    """Silent: the name next to it says who that is. An unknown number has no face."""
    known = number if number in FACES else NOBODY
    return remembered("face.html", number=f"{known:02}")


def emote(name: str) -> Markup:
    """A drawn remark of the chat."""
    return remembered("emote.html", name=name)


# Parts that differ each time are filled in when a piece is sent (`assembly.py`): the token of a
# form, and the key of a top-up. Their placeholders contain a part that no player can guess or
# write.
SECRET: Final = token_hex(8)
NO_TOKEN: Final = f"\1{SECRET}token\1"
NO_KEY: Final = f"\1{SECRET}key\1"
FORM_TOKEN: Final = Markup('<input type="hidden" name="csrfmiddlewaretoken" value="{}">').format(
    NO_TOKEN
)
# How an answer gets into the page: the board, morphed. Each form names all of it, because the page
# may drop the form before the answer arrives.
INTO_BOARD: Final = Markup('hx-ext="morph"\n  hx-target="#board" hx-swap="morph:innerHTML"')
# The attributes of a seat that a plate shows, and the published ones of a shoe.
PLATE: Final = (
    *("player", "face", "is_bot", "strength", "level", "stack", "stood"),
    *("auto_play", "sits_out", "offline", "leaves"),
)
SEALED: Final = ("code", "seal", "lock", "mix", "decks", "cards_dealt")


@lru_cache(4096)
def url(name: str, *args: object) -> str:
    return reverse(name, args=args)


def iso(moment: datetime | None) -> str:
    """A moment for a script to read; nothing where there is none."""
    return localtime(moment).isoformat() if moment else ""


def strength_mark(strength: str) -> str:
    """How well a bot plays, as its plate says it."""
    return str(MARKS[strength])


def level_name(level: str) -> str:
    return str(LEVEL_NAMES[level])


def join_names(seats: Any) -> str:
    """The players of some seats, joined in a list."""
    return gettext(", ").join(seat.player for seat in seats)


def at(mapping: object, key: object) -> object:
    """The value of a mapping for a key."""
    return mapping.get(key) if isinstance(mapping, Mapping) else None


def last(things: Sequence[object]) -> object:
    """The last of some things; nothing where there is none."""
    return things[-1] if things else None


def default_if_none(value: object, otherwise: object) -> object:
    return otherwise if value is None else value


def get(thing: object, name: str) -> object:
    """An attribute that not every kind of thing has; nothing where there is none."""
    return getattr(thing, name, None)


def of_seat(things: Any, seat: int) -> list[object]:
    return [thing for thing in things if thing.seat == seat]


def of_box(things: Any, box: int) -> list[object]:
    return [thing for thing in things if thing.box == box]


def key_of(button: Button, do: str) -> str:
    """The key that presses a button of an action, where it has one (`keys.js`)."""
    return key_of_button(do, button)


def stacked(amount: int, currency: Currency) -> tuple[int, ...]:
    """The values of the chips that make up a sum."""
    return betting.stack(amount, currency.exponent)


def chip_value(amount: int, currency: Currency) -> int:
    """The value whose colour a chip has."""
    return betting.value_of(amount, currency.exponent)


def plate(
    seat: Any, left: int | None, net: int | None, role: str | None, currency: Currency
) -> Markup:
    """The plate of the player at a place, with what they have of the hand that is shown."""
    facts = {name: getattr(seat, name, None) for name in PLATE}
    facts["stack"] = getattr(seat, "free", seat.stack)
    if getattr(seat, "came_since", False):
        # The result and the cards belong to the seat's former player.
        left, net, role = None, None, None
    return remembered("plate.html", role=role or "", left=left, net=net, currency=currency, **facts)


def sealed(shoe: object, commits: dict[int, str], hand: str) -> Markup:
    """The published proof of a shoe that is still dealt from."""
    facts = {name: getattr(shoe, name) for name in SEALED}
    return remembered("proof_live.html", hand=hand, commits=tuple(commits.items()), **facts)


def bet_box(box: Box, seat: int, names: dict[int, str], currency: Currency) -> Markup:
    """A box to bet on, with what others have bet on it."""
    others = tuple(
        (names.get(bet.seat), bet.ante if hasattr(bet, "ante") else bet.bet)
        for bet in box.bets
        if bet.seat != seat
    )
    facts = box._replace(bets=())._asdict()
    return remembered("betting_box.html", others=others, currency=currency, **facts)


def box_ended(house: Any, box: int) -> str:
    """The result of a box for the viewer as a CSS class, which says where its chips go."""
    result = house.boxes.get(box) if house else None
    net = result.net if result else 0
    return " won" if net > 0 else " lost" if net < 0 else ""


def open_hands(view: View) -> tuple[OpenHand, ...]:
    """Return the open cards at the end of a hand, for a family without its own felt."""
    return family_named(str(view.__struct_config__.tag)).open_hands(view)


FILTER_FUNCTIONS: Final = (
    *(
        at,
        last,
        get,
        default_if_none,
        of_seat,
        of_box,
        key_of,
        stacked,
        chip_value,
        iso,
        strength_mark,
        level_name,
        join_names,
    ),
    *(card, card_kind, card_name, high_card, player_title, term, capfirst),
)
FILTERS: Final[Functions] = {
    **{function.__name__: function for function in FILTER_FUNCTIONS},
    "money": show_amount,
    "signed": show_signed,
    "written": amount_for_input,
}
FUNCTIONS: Final[Functions] = {
    "_": gettext,
    "url": url,
    "static": static,
    "csrf_input": FORM_TOKEN,
    "top_up_key": NO_KEY,
    "into_board": INTO_BOARD,
    "line": sentence_of_line,
    "party": party_in_words,
    "settlement": settlement_view,
    "plate": plate,
    "sealed": sealed,
    "bet_box": bet_box,
    "box_ended": box_ended,
    "open_hands": open_hands,
    "card_back": card_back,
    "cards_row": cards_row,
    "icon": icon,
    "face_of": face,
}
