"""Help with a hand that is on the page: arrangements of thirteen cards, and plays of Dou Dizhu.

It knows what the player knows: it is given a view.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from games.boards.doudizhu_help import hint_of
from games.rules.cards import Card
from games.rules.contract import Action, AnyGame, View, check_cards
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import in_order
from games.rules.doudizhu.view import DoudizhuView
from games.rules.errors import Illegal
from games.rules.poker import CATEGORY_NAMES, holds_joker, standing_for
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.showdown import ROW_NAMES, row_value
from games.rules.thirteen.suggest import Suggestion, suggest
from games.rules.thirteen.view import ThirteenView
from games.words.naming import card_sign, term

# What one can ask for, by game family: the word in the address, and how it is called.
CHARACTERS: Final[dict[str, str | Promise]] = {
    "best_expected": _("Best"),
    "safe": _("Safe"),
    "strong_front": _("Strong front"),
    "strong_back": _("Strong back"),
}
ROW_SIZES: Final = (3, 5, 5)
HANDS_REMEMBERED: Final = 256


class Suggested(NamedTuple):
    """An arrangement to choose: the word that asks for it, how it is called, and what it makes."""

    character: str
    label: str | Promise
    makes: str


class Filled(NamedTuple):
    """Cards to be ticked, or the rows to be filled; `asked` is what was asked for, `words` what
    was found.
    """

    asked: str = ""
    cards: frozenset[Card] = frozenset()
    rows: dict[Card, str] = {}  # noqa: RUF012 - nobody writes into it
    words: str = ""


def filled(game: AnyGame, view: View, asked: str) -> Filled:
    """What the help that was asked for puts into the form; nothing where there is none to give."""
    if isinstance(game, ThirteenGame) and isinstance(view, ThirteenView):
        return _arranged(game, view, asked)
    if isinstance(game, Doudizhu) and isinstance(view, DoudizhuView) and asked.isdecimal():
        hint = hint_of(game, view, int(asked[:4]))
        return Filled(asked[:4], hint.cards, words=hint.words)
    return Filled()


def suggestions(game: AnyGame, view: View) -> tuple[Suggested, ...]:
    """The arrangements that a player can choose from; none where nothing is to be arranged."""
    if not isinstance(game, ThirteenGame) or not isinstance(view, ThirteenView):
        return ()
    if view.phase != "arrange" or view.seat not in view.to_act:
        return ()
    found = _suggested(game, tuple(view.hand), view.banker == view.seat)
    return tuple(
        Suggested(one.character, CHARACTERS[one.character], " · ".join(map(term, one.categories)))
        for one in found
        if one.character in CHARACTERS
    )


@lru_cache(HANDS_REMEMBERED)
def _suggested(
    game: ThirteenGame, hand: tuple[Card, ...], is_banker: bool
) -> tuple[Suggestion, ...]:
    """A hand's arrangements are the same on each of its boards."""
    return suggest(game, hand, is_banker=is_banker)


def _arranged(game: ThirteenGame, view: ThirteenView, asked: str) -> Filled:
    if asked not in CHARACTERS or view.phase != "arrange" or not view.hand:
        return Filled()
    found = _suggested(game, tuple(view.hand), view.banker == view.seat)
    # Where two characters agree, the better one stands for both.
    fitting = [one for one in found if one.character == asked] or [
        one for one in found if one.character == "best_expected"
    ]
    rows = zip(ROW_NAMES, fitting[0].action.rows, strict=True)
    return Filled(asked, rows={card: name for name, row in rows for card in row})


def names_of_rows(game: AnyGame, placed: dict[Card, str]) -> dict[str, str]:
    """What full rows are called, what each joker in them stands for, and why they are a foul."""
    if not isinstance(game, ThirteenGame):
        return {}
    check_cards(list(placed), game.composition(), 0)
    rows = [[card for card in placed if placed[card] == name] for name in ROW_NAMES]
    full = [len(row) == size for row, size in zip(rows, ROW_SIZES, strict=True)]
    values = [
        game.rank_row(row) if is_full else None for row, is_full in zip(rows, full, strict=True)
    ]
    told = {
        name: term(CATEGORY_NAMES[value.category])
        for name, value in zip(ROW_NAMES, values, strict=True)
        if value is not None
    }
    for row, is_full in zip(rows, full, strict=True):
        if is_full and holds_joker(row):
            jokers = standing_for(row_value(row, game.ranks), row)
            told |= {joker.text: card_sign(card.text) for joker, card in jokers.items()}
    foul = game.out_of_order([value for value in values if value]) if all(full) else None
    return told | ({"foul": _t(foul.template)} if foul else {})


def foul_in(game: AnyGame, action: Action) -> Illegal | None:
    """Why these rows are a foul that would be paid for, before anybody has sent them for good."""
    if not isinstance(game, ThirteenGame) or not isinstance(action, Arrange):
        return None
    if action.declare is not None or not game.has_fouls:
        return None
    if tuple(len(row) for row in action.rows) != ROW_SIZES:
        return None
    check_cards([card for row in action.rows for card in row], game.composition(), 0)
    return game.out_of_order([game.rank_row(row) for row in action.rows])


def in_hand(game: AnyGame, cards: Sequence[Card]) -> list[Card]:
    """Cards as one holds them: the highest first, by the order of the game."""
    if isinstance(game, Doudizhu):
        return list(reversed(in_order(cards)))
    return sorted(cards, key=lambda card: (card.rank, card.suit), reverse=True)
