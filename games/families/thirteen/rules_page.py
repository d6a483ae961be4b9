"""The rules' page of thirteen cards: what rows and naturals win, and what a foul costs."""

from collections.abc import Iterator, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.rule_tables import NONE, RuleRow, RuleTable, number, rake_row, to_pay
from games.rules.poker import Category
from games.rules.thirteen.chinese_poker import FOUL_POINTS, ChinesePoker
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE
from games.rules.thirteen.taiwan import BASE_UNITS, ThirteenTaiwan
from games.words.naming import term

ROWS: Final = {FRONT: "front", MIDDLE: "middle", BACK: "back"}
IN_FRONT: Final = (Category.HIGH_CARD, Category.PAIR, Category.THREE)


# The requirements of each natural.
MADE_OF: Final[Mapping[Natural, str | Promise]] = {
    Natural.THIRTEEN_SUITED: _l("all cards of one suit"),
    Natural.PURE_DRAGON: _l("every rank once, all of one suit"),
    Natural.DRAGON: _l("every rank once"),
    Natural.TWELVE_ONE: _l("twelve cards of one colour and any other"),
    Natural.TRIPS_FIVE_PAIRS: _l("three of a kind and five pairs"),
    Natural.THREE_STRAIGHTS: _l("a straight in every row"),
    Natural.THREE_FLUSHES: _l("a flush in every row"),
    Natural.SIX_PAIRS: _l("six pairs and any other card"),
    Natural.FOUR_TRIPS: _l("four threes of a kind and any other card"),
    Natural.THREE_FOURS: _l("three fours of a kind and any other card"),
    Natural.THREE_STRAIGHT_FLUSHES: _l("a straight flush in every row"),
    Natural.TWELVE_ROYALS: _l("thirteen cards from jack to ace"),
    Natural.ALL_BIG: _l("nothing below the eight"),
    Natural.ALL_SMALL: _l("nothing above the eight, and no ace"),
    Natural.ONE_COLOUR: _l("all red, or all black"),
    Natural.DOUBLE_FULL_HOUSE: _l("two full houses, a pair and any other card"),
}


def winnings(game: ThirteenGame) -> Iterator[RuleTable]:
    columns = tuple(capfirst(term(name)) for name in ROWS.values())
    kinds = {kind for _row, kind in game.row_prices}
    priced = [_priced(game, kind) for kind in reversed(Category) if kind in kinds]
    other = RuleRow(_("Any other") if priced else _("Any row"), (number(1),) * len(ROWS))
    yield RuleTable(_("A row won"), (*priced, other), columns)
    if isinstance(game, ChinesePoker):
        extra = RuleRow(_("More rows won than lost"), (_extra_point(game),))
        yield RuleTable(_("Besides the rows"), (extra,))
    if isinstance(game, ThirteenTaiwan):
        yield RuleTable(
            _("Three plain rows won"),
            (
                RuleRow(_("Scoop: all three from one opponent"), (number(2 * BASE_UNITS),)),
                RuleRow(
                    _("Sweep of the table: from each of three opponents"), (number(4 * BASE_UNITS),)
                ),
            ),
        )
    specials = [
        RuleRow(capfirst(term(natural)), (number(points),), _made_of(game, natural))
        for natural, points in game.naturals.items()
    ]
    yield RuleTable(_("Declared"), tuple(specials))


def _priced(game: ThirteenGame, kind: Category) -> RuleRow:
    values = [
        NONE
        if row == FRONT and kind not in IN_FRONT
        else number(game.row_prices.get((row, kind), 1))
        for row in ROWS
    ]
    return RuleRow(capfirst(term(kind.name.lower())), tuple(values))


def _extra_point(game: ChinesePoker) -> str:
    if game.table == "plain":
        return number(1)
    if game.extra_point == "no_premium":
        return _("{points}, where no premium is won").format(points=number(1))
    return NONE


def _made_of(game: ThirteenGame, natural: Natural) -> str:
    if isinstance(game, ChinesePoker) and natural == Natural.TWELVE_ONE and game.twelve == "suit":
        return _("twelve cards of one suit and any other")
    return str(MADE_OF[natural])


def costs(game: ThirteenGame) -> tuple[RuleTable, ...]:
    rake = rake_row(game)
    if not isinstance(game, ChinesePoker):
        return to_pay(rake)
    note = _("and the opponent's premiums") if game.row_prices else ""
    foul = RuleRow(_("A foul, to each opponent without a natural"), (number(FOUL_POINTS),), note)
    return to_pay(foul, rake)


def bounds(game: ThirteenGame) -> dict[str, tuple[int, ...]]:
    """Return the values of a point, or the bounds of a punter's bet."""
    if game.bet_limits:
        return {_("A punter's bet"): game.bet_limits}
    return {_("A point"): (game.point,)}  # type: ignore[attr-defined]
