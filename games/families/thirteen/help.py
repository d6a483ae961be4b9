"""Help with an arrangement of thirteen cards, from nothing but a player's view."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from games.boards.help import Filled, Hint, Suggested
from games.rules.cards import ACE, RANKS, Card
from games.rules.contract import Action, check_cards
from games.rules.errors import Illegal
from games.rules.poker import (
    CATEGORY_NAMES,
    Category,
    category,
    holds_joker,
    standing_for,
)
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import ROW_NAMES, row_value
from games.rules.thirteen.suggest import Suggestion, suggest
from games.rules.thirteen.view import ThirteenView
from games.words.naming import card_sign, row_term, term

# The kinds of suggestion: the word in the address, and the label.
CHARACTERS: Final[dict[str, str | Promise]] = {
    "best_expected": _("Best"),
    "safe": _("Safe"),
    "strong_front": _("Strong front"),
    "strong_back": _("Strong back"),
}
ROW_SIZES: Final = (3, 5, 5)
STRAIGHTS: Final = (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
HANDS_REMEMBERED: Final = 256


def suggestions(game: ThirteenGame, view: ThirteenView) -> tuple[Suggested, ...]:
    """The arrangements that a player can choose from; none outside the arranging phase."""
    return tuple(
        Suggested(one.character, CHARACTERS[one.character], makes)
        for makes, one in _to_choose_from(game, view).items()
    )


def advised(game: ThirteenGame, view: ThirteenView) -> Iterator[Hint]:
    """The same as actions, each with its label and what its rows make."""
    for makes, one in _to_choose_from(game, view).items():
        yield Hint(one.action, f"{CHARACTERS[one.character]}: {makes}")


def _to_choose_from(game: ThirteenGame, view: ThirteenView) -> dict[str, Suggestion]:
    """The arrangements by what they make, the best first."""
    if view.phase != "arrange" or view.seat not in view.to_act:
        return {}
    found = _suggested(game, tuple(view.hand), view.banker == view.seat)
    choices = [
        (one, " · ".join(map(row_term, one.categories)))
        for one in found
        if one.character in CHARACTERS
    ]
    plain = Counter(makes for _one, makes in choices)
    shown: dict[str, Suggestion] = {}
    for one, makes in choices:
        # Rows of the same kinds differ by their ranks; what then still reads alike differs
        # in small cards alone, and the better stands for both.
        shown.setdefault(_with_ranks(game, one) if plain[makes] > 1 else makes, one)
    return shown


def _with_ranks(game: ThirteenGame, suggestion: Suggestion) -> str:
    """Return the rows, each with its deciding ranks: "pair 9 · flush K · straight A"."""
    words = zip(suggestion.categories, suggestion.action.rows, strict=True)
    return " · ".join(f"{row_term(category)} {_deciding(game, row)}" for category, row in words)


def _deciding(game: ThirteenGame, row: Sequence[Card]) -> str:
    """The ranks that come several times, or the highest; a joker counts as what it stands for."""
    value = row_value(row, game.ranks)
    ranks = [card.rank for card in row if not card.is_joker]
    if holds_joker(row):
        ranks += [card.rank for card in standing_for(value, row).values()]
    if category(value) in STRAIGHTS:
        low = {ACE, 2} <= set(ranks)
        return _rank_sign(RANKS[(5 if low else max(ranks)) - 2])
    counted = sorted(Counter(ranks).items(), key=lambda one: (one[1], one[0]), reverse=True)
    several = [rank for rank, count in counted if count > 1] or [counted[0][0]]
    if category(value) == Category.FLUSH:
        several = [max(ranks)]
    return " ".join(_rank_sign(RANKS[rank - 2]) for rank in several)


def _rank_sign(name: str) -> str:
    return name.replace("T", "10")


@lru_cache(HANDS_REMEMBERED)
def _suggested(
    game: ThirteenGame, hand: tuple[Card, ...], is_banker: bool
) -> tuple[Suggestion, ...]:
    """A hand's arrangements are the same on each of its boards."""
    return suggest(game, hand, is_banker=is_banker)


def fill(game: ThirteenGame, view: ThirteenView, wanted: str) -> Filled:
    if wanted not in CHARACTERS or view.phase != "arrange" or not view.hand:
        return Filled()
    found = _suggested(game, tuple(view.hand), view.banker == view.seat)
    # If two characters suggest the same rows, only the better one is offered.
    fitting = [one for one in found if one.character == wanted] or [
        one for one in found if one.character == "best_expected"
    ]
    rows = zip(ROW_NAMES, fitting[0].action.rows, strict=True)
    return Filled(wanted, rows={card: name for name, row in rows for card in row})


def row_names(game: ThirteenGame, placed: Mapping[Card, str]) -> dict[str, str]:
    """The names of full rows, what each joker stands for, and why the rows are a foul."""
    check_cards(list(placed), game.composition(), 0)
    rows = [[card for card in placed if placed[card] == name] for name in ROW_NAMES]
    full = [len(row) == size for row, size in zip(rows, ROW_SIZES, strict=True)]
    values = [
        game.rank_row(row) if is_full else None for row, is_full in zip(rows, full, strict=True)
    ]
    names = {
        name: row_term(CATEGORY_NAMES[value.category])
        for name, value in zip(ROW_NAMES, values, strict=True)
        if value is not None
    }
    for row, is_full in zip(rows, full, strict=True):
        if is_full and holds_joker(row):
            jokers = standing_for(row_value(row, game.ranks), row)
            names |= {joker.text: card_sign(card.text) for joker, card in jokers.items()}
    found = game.out_of_order([value for value in values if value]) if all(full) else None
    return names | ({"foul": _t(found.template)} if found else {})


def foul(game: ThirteenGame, action: Action) -> Illegal | None:
    """Return why these rows are a foul that costs, before anybody has sent them for good."""
    if not isinstance(action, Arrange):
        return None
    if action.declare is not None or not game.has_fouls:
        return None
    if tuple(len(row) for row in action.rows) != ROW_SIZES:
        return None
    check_cards([card for row in action.rows for card in row], game.composition(), 0)
    return game.out_of_order([game.rank_row(row) for row in action.rows])


def declaring(game: ThirteenGame, natural: Natural) -> str:
    """Return what it means to declare a natural at this table."""
    words = {"natural": capfirst(term(natural)), "points": game.naturals[natural]}
    if game.bet_limits:
        return _t(
            "{natural}: your hand is shown as it was dealt, no rows are compared, and it is paid "
            "{points} times the bet."
        ).format(**words)
    return _t(
        "{natural}: your hand is shown as it was dealt, no rows are compared, and it is worth "
        "{points} points against each opponent."
    ).format(**words)
