"""The answers of the thirteen-card games to the questions of `games.boards.family`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.family import Family, FamilyTemplates, KeyOf, OpenHand, Panel
from games.boards.help import Advice, Deed, Filled, Hint, Moment, Path, Suggested
from games.boards.rule_tables import (
    NONE,
    Example,
    RuleRow,
    RuleTable,
    bound_rows,
    number,
    rake_row,
    to_pay,
)
from games.families.poker_hands import poker_examples
from games.families.thirteen import help as hand_help
from games.rules.cards import Card
from games.rules.contract import Action, State
from games.rules.errors import Illegal
from games.rules.poker import CATEGORY_NAMES, Category
from games.rules.thirteen.chinese_poker import FOUL_POINTS, ChinesePoker
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE
from games.rules.thirteen.state import Arrange
from games.rules.thirteen.suggest import best_against, points_against
from games.rules.thirteen.taiwan import BASE_UNITS, ThirteenTaiwan
from games.rules.thirteen.view import ThirteenView
from games.words.naming import row_term, term
from wallets.models import Currency

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


def units_of(game: ThirteenGame, last: State, seat: int, seats: Sequence[int]) -> dict[int, int]:
    """Return what a point with each of the others is worth."""
    state: Any = last
    if state.banker is not None and state.banker != seat:
        return {state.banker: game.unit(state, state.banker, seat)}
    return {other: game.unit(state, seat, other) for other in seats if other != seat}


def _deed(game: ThirteenGame, arranged: Arrange, worth: str) -> Deed:
    if arranged.declare is not None:
        return Deed(term(arranged.declare), arranged.rows if any(arranged.rows) else (), worth)
    names = [row_term(CATEGORY_NAMES[game.rank_row(row).category]) for row in arranged.rows]
    return Deed(" · ".join(names), arranged.rows, worth)


# As in its `board.js`, while a card has the focus.
KEYS: Final = (
    (
        _l("Mouse, finger"),
        _l(
            "Drag a card, or tap cards and then a row. Tap a card in a row to take it back; tap a "
            "card in hand and one in a row to swap them."
        ),
    ),
    ("← → ↑ ↓", _l("to another card")),
    (_l("Space"), _l("choose the card")),
    ("1 2 3 · F M B", _l("into the front, middle or back row")),
    (_l("Backspace"), _l("back into the hand")),
    ("S", _l("sort by rank or suit")),
    (_l("Enter"), _l("confirm the rows")),
)


class ThirteenFamily(Family[ThirteenGame, ThirteenView]):
    title = _l("Thirteen cards")

    def templates(self, game: str) -> FamilyTemplates:
        panel = Panel("last", _l("Points"), "families/thirteen/panel.html")
        return super().templates(game)._replace(alike=frozenset({"rival"}), panels=(panel,))

    def keys(self, game: ThirteenGame) -> Sequence[KeyOf]:
        return KEYS

    def roles(self, view: ThirteenView) -> Mapping[int, str]:
        return {view.button: "dealer"} | ({view.banker: "banker"} if view.banker else {})

    def open_hands(self, view: ThirteenView) -> tuple[OpenHand, ...]:
        return tuple(
            OpenHand(hand.arranged.rows if all(hand.arranged.rows) else (hand.hand,), hand.seat)
            for hand in view.shown
        )

    def declaring(self, game: ThirteenGame, word: str) -> str:
        return hand_help.declaring(game, Natural(word))

    def foul(self, game: ThirteenGame, action: Action) -> Illegal | None:
        return hand_help.foul(game, action)

    def fill(self, game: ThirteenGame, view: ThirteenView, wanted: str) -> Filled:
        return hand_help.fill(game, view, wanted)

    def suggestions(
        self, game: ThirteenGame, view: ThirteenView, *, opened: bool
    ) -> tuple[Suggested, ...]:
        return hand_help.suggestions(game, view, opened=opened)

    def best(self, game: ThirteenGame, view: ThirteenView) -> str:
        return hand_help.best(game, view)

    def advised(self, game: ThirteenGame, view: ThirteenView) -> Iterable[Hint]:
        return hand_help.advised(game, view)

    def row_names(self, game: ThirteenGame, placed: Mapping[Card, str]) -> dict[str, str]:
        return hand_help.row_names(game, placed)

    def examples(self, game: ThirteenGame) -> tuple[Example, ...]:
        return poker_examples(game.ranks, has_jokers=game.has_jokers)

    def winnings(self, game: ThirteenGame) -> tuple[RuleTable, ...]:
        return tuple(winnings(game))

    def costs(self, game: ThirteenGame) -> tuple[RuleTable, ...]:
        return costs(game)

    def limits(self, game: ThirteenGame, currency: Currency) -> tuple[RuleRow, ...]:
        return bound_rows(bounds(game), currency)

    def advise(self, path: Path) -> Advice:
        game: ThirteenGame = path.game
        last: Any = path.states[-1]
        table = {shown.seat: shown for shown in game.show(last)}
        if path.seat not in table or len(table) < 2:
            return Advice(_("There was nothing to decide in this hand."))
        step = next(decision.step for decision in path.decisions() if decision.do == "arrange")
        place = last.place(path.seat)
        hand, arranged = last.hands[place], last.arranged[place]
        others = [shown for seat, shown in table.items() if seat != path.seat]
        units = units_of(game, last, path.seat, list(table))
        mine = points_against(game, table[path.seat], others, banker=last.banker, units=units)
        best = best_against(game, hand, others, seat=path.seat, banker=last.banker, units=units)
        done = _deed(game, arranged, path.result(mine))
        situation = _("Against the arrangements that were shown")
        if best.points <= mine:
            words = _("No other arrangement would have won more against these.")
            return Advice(words, (Moment(step, situation, done, is_hindsight=True),))
        moment = Moment(
            step,
            situation,
            done,
            _deed(game, best.arranged, path.result(best.points)),
            path.money(best.points - mine),
            _("No player could know that before the others had shown their rows."),
            is_hindsight=True,
        )
        return Advice(_("Another arrangement would have won more against these."), (moment,))


FAMILY: Final[Family[ThirteenGame, ThirteenView]] = ThirteenFamily()
