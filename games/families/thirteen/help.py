"""Help with an arrangement of thirteen cards, from nothing but a player's view."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy as _p

from games.boards.help import Filled, Hint, Suggested
from games.rules.cards import RANKS, Card
from games.rules.contract import Action, check_cards
from games.rules.errors import Illegal
from games.rules.poker import CATEGORY_NAMES, holds_joker, standing_for
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import ROW_NAMES, row_value
from games.rules.thirteen.state import Arrange
from games.rules.thirteen.suggest import Suggestion, suggest, suggest_rows
from games.rules.thirteen.view import ThirteenView
from games.words.naming import card_sign, row_term, term

PLURALS: Final = (
    *(_p("ranks", "twos"), _p("ranks", "threes"), _p("ranks", "fours"), _p("ranks", "fives")),
    *(_p("ranks", "sixes"), _p("ranks", "sevens"), _p("ranks", "eights"), _p("ranks", "nines")),
    *(_p("ranks", "tens"), _p("ranks", "jacks"), _p("ranks", "queens"), _p("ranks", "kings")),
    _p("ranks", "aces"),
)
# Straights have one highest card, but the lowest of them ends with an ace: their name is enough.
BY_RANKS: Final = {
    "pair": _p("a row", "pair of {first}"),
    "two_pair": _p("a row", "two pairs, {first} and {second}"),
    "three": _p("a row", "three {first}"),
    "full_house": _p("a row", "full house, {first} over {second}"),
    "four": _p("a row", "four {first}"),
    "five": _p("a row", "five {first}"),
}
BY_HIGHEST: Final = {
    "flush": _p("a row", "flush, {highest} high"),
    "high_card": _p("a row", "{highest} high"),
}


ROWS_REMEMBERED: Final = 4096


def row_words(category: str, ranks: Iterable[int]) -> str:
    """The name of a row of this category; a joker counts as the card that it replaces."""
    return _row_words(category, tuple(ranks), get_language())


@lru_cache(ROWS_REMEMBERED)
def _row_words(category: str, ranks: tuple[int, ...], _language: str | None) -> str:
    """Four viewers read a row, each on a board of their own."""
    counted = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    if category in BY_HIGHEST:
        highest = RANKS[max(rank for rank, _count in counted) - 2].replace("T", "10")
        return str(BY_HIGHEST[category]).format(highest=highest)
    if category not in BY_RANKS:
        return row_term(category)
    first, second = (str(PLURALS[rank - 2]) for rank, _count in (*counted, counted[0])[:2])
    return str(BY_RANKS[category]).format(first=first, second=second)


# The kinds of suggestion: the word in the address, and the label.
CHARACTERS: Final[dict[str, str | Promise]] = {
    "best_expected": _("Best"),
    "safe": _("Safe"),
    "strong_front": _("Strong front"),
    "strong_back": _("Strong back"),
}
UNOPENED: Final = tuple(Suggested(word, label, "") for word, label in CHARACTERS.items())
ROW_SIZES: Final = (3, 5, 5)
HANDS_REMEMBERED: Final = 256


def suggestions(game: ThirteenGame, view: ThirteenView, *, opened: bool) -> tuple[Suggested, ...]:
    """The arrangements that a player can choose from; none outside the arranging phase.

    What each makes, and which are alike, is known once the player has opened one: a search takes
    as long as many acts. What the best makes is asked for by the page, once a hand (`best`).
    """
    if opened:
        return tuple(
            Suggested(suggestion.character, CHARACTERS[suggestion.character], makes)
            for makes, suggestion in _to_choose_from(game, view).items()
        )
    return UNOPENED if _arranges(view) else ()


def best(game: ThirteenGame, view: ThirteenView) -> str:
    """What the best arrangement makes; nothing outside the arranging phase."""
    if not _arranges(view):
        return ""
    return _best_in_words(game, tuple(view.hand), view.banker == view.seat, get_language())


@lru_cache(HANDS_REMEMBERED)
def _best_in_words(
    game: ThirteenGame, hand: tuple[Card, ...], is_banker: bool, _language: str | None
) -> str:
    return _in_words(game, suggest_rows(game, hand, is_banker=is_banker))


def advised(game: ThirteenGame, view: ThirteenView) -> Iterator[Hint]:
    """The same as actions, each with its label and what its rows make."""
    for makes, suggestion in _to_choose_from(game, view).items():
        yield Hint(suggestion.action, f"{CHARACTERS[suggestion.character]}: {makes}")


def _arranges(view: ThirteenView) -> bool:
    return view.phase == "arrange" and view.seat in view.to_act


def _to_choose_from(game: ThirteenGame, view: ThirteenView) -> Mapping[str, Suggestion]:
    """The arrangements by what they make, the best first."""
    if not _arranges(view):
        return {}
    return _by_words(game, tuple(view.hand), view.banker == view.seat, get_language())


@lru_cache(HANDS_REMEMBERED)
def _by_words(
    game: ThirteenGame, hand: tuple[Card, ...], is_banker: bool, _language: str | None
) -> Mapping[str, Suggestion]:
    shown: dict[str, Suggestion] = {}
    for suggestion in _suggested(game, hand, is_banker):
        if suggestion.character in CHARACTERS:
            # Suggestions with the same words differ in small cards alone; the better one is kept.
            shown.setdefault(_in_words(game, suggestion), suggestion)
    return shown


def _in_words(game: ThirteenGame, suggestion: Suggestion) -> str:
    return " · ".join(_names(game, suggestion))


def _names(game: ThirteenGame, suggestion: Suggestion) -> Iterator[str]:
    """The name of each row, as the rows have it that are filled."""
    for category, row in zip(suggestion.categories, suggestion.action.rows, strict=True):
        yield _row_name(game, category, row)[0]


def _row_name(
    game: ThirteenGame, category: str, row: Sequence[Card]
) -> tuple[str, Mapping[Card, Card]]:
    """The name of a row, and what each joker in it stands for, by which it is named."""
    jokers = standing_for(row_value(row, game.ranks), row) if holds_joker(row) else {}
    return row_words(category, (jokers.get(card, card).rank for card in row)), jokers


@lru_cache(HANDS_REMEMBERED)
def _suggested(
    game: ThirteenGame, hand: tuple[Card, ...], is_banker: bool
) -> tuple[Suggestion, ...]:
    """A hand's arrangements are the same on each of its boards."""
    return suggest(game, hand, is_banker=is_banker)


def fill(game: ThirteenGame, view: ThirteenView, wanted: str) -> Filled:
    if wanted not in CHARACTERS or view.phase != "arrange" or not view.hand:
        return Filled()
    arrangements = _suggested(game, tuple(view.hand), view.banker == view.seat)
    # If two characters suggest the same rows, only the better one is offered.
    fitting = [suggestion for suggestion in arrangements if suggestion.character == wanted] or [
        suggestion for suggestion in arrangements if suggestion.character == "best_expected"
    ]
    rows = zip(ROW_NAMES, fitting[0].action.rows, strict=True)
    return Filled(wanted, rows={card: name for name, row in rows for card in row})


def row_names(game: ThirteenGame, placed: Mapping[Card, str]) -> dict[str, str]:
    """The names of full rows, the card that each joker replaces, and the reason of a foul."""
    check_cards(list(placed), game.composition(), 0)
    rows = [[card for card in placed if placed[card] == name] for name in ROW_NAMES]
    full = [len(row) == size for row, size in zip(rows, ROW_SIZES, strict=True)]
    values = [
        game.rank_row(row) if is_full else None for row, is_full in zip(rows, full, strict=True)
    ]
    names = {}
    for name, row, value in zip(ROW_NAMES, rows, values, strict=True):
        if value is None:
            continue
        words, jokers = _row_name(game, CATEGORY_NAMES[value.category], row)
        names[name] = capfirst(words)
        names |= {joker.text: card_sign(card.text) for joker, card in jokers.items()}
    illegal = game.out_of_order([value for value in values if value]) if all(full) else None
    return names | ({"foul": _t(str(illegal.template))} if illegal else {})


def foul(game: ThirteenGame, action: Action) -> Illegal | None:
    """Return why these rows are a foul that costs, before the player submits them."""
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
