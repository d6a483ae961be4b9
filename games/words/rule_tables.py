"""What is reckoned at a table, in rows of words and values: none of the figures is written here.

All of it is read out of the options of a game and out of what the rules reckon by, so that a table
with other options says other things. A page that shows a game and not a table shows its defaults.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.rules.baccarat.coup import banker_draws
from games.rules.baccarat.game import PAIR, SPOTS, TIE, BaccaratTable
from games.rules.cards import Card, parse_cards
from games.rules.chinese_poker import FOUL_POINTS, ChinesePoker
from games.rules.contract import AnyGame
from games.rules.doudizhu.actions import CALL_MAX
from games.rules.doudizhu.combinations import Kind
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.paying import Doubling, Worth
from games.rules.house.antes import AnteGame
from games.rules.house.bonus import BonusGame
from games.rules.house.game import HouseGame
from games.rules.poker import CODE, Category, category, ranking
from games.rules.russian_poker.game import RussianPoker
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE
from games.rules.thirteen_taiwan import BASE_UNITS, ThirteenTaiwan
from games.words.naming import term
from games.words.paytables import odds_in_words, paytables
from wallets.amounts import show_amount
from wallets.models import Currency

NONE: Final = "–"
ROWS: Final = {FRONT: "front", MIDDLE: "middle", BACK: "back"}
IN_FRONT: Final = (Category.HIGH_CARD, Category.PAIR, Category.THREE)


class Row(NamedTuple):
    """A line of a table: what it is about, what there is to say of that, and the values."""

    label: str
    values: tuple[str, ...]
    note: str = ""


class RuleTable(NamedTuple):
    """Rows under a title; columns are named where there are several."""

    label: str
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()


class Example(NamedTuple):
    """What some cards make, and such cards."""

    label: str
    cards: tuple[Card, ...]


# What beats what


# From high to low. What an ace and a joker make hangs on the table.
POKER_HANDS: Final = {
    Category.FIVE: "9s9h9d9cRJ",
    Category.ROYAL_FLUSH: "AsKsQsJsTs",
    Category.STRAIGHT_FLUSH: "9h8h7h6h5h",
    Category.FOUR: "QsQhQdQc4d",
    Category.FULL_HOUSE: "JsJhJd6c6s",
    Category.FLUSH: "KdTd8d6d3d",
    Category.STRAIGHT: "Ts9h8c7d6s",
    Category.THREE: "8s8h8dKc4s",
    Category.TWO_PAIR: "AsAd7h7c9s",
    Category.PAIR: "TsThKd6c3s",
    Category.HIGH_CARD: "AhJc9d6s3h",
}
# In the order in which one learns them.
PLAYS: Final = {
    Kind.SINGLE: "3h",
    Kind.PAIR: "7s7d",
    Kind.TRIO: "9s9h9c",
    Kind.TRIO_SINGLE: "3s3h3c6d",
    Kind.TRIO_PAIR: "3s3h3c9d9s",
    Kind.STRAIGHT: "4s5h6d7c8s",
    Kind.PAIRS: "3s3d4h4c5s5h",
    Kind.AIRPLANE: "4s4h4d5s5h5c",
    Kind.AIRPLANE_SINGLES: "4s4h4d5s5h5c7d9c",
    Kind.AIRPLANE_PAIRS: "4s4h4d5s5h5c7d7c9s9h",
    Kind.FOUR_SINGLES: "5s5h5d5c3h8s",
    Kind.FOUR_PAIRS: "4s4h4d4c5s5h7d7c",
    Kind.BOMB: "6s6h6d6c",
    Kind.ROCKET: "BJRJ",
}


def examples(game: AnyGame) -> tuple[Example, ...]:
    """What cards can make at this table, each with cards that make it."""
    if isinstance(game, Doudizhu):
        return tuple(Example(term(kind), parse_cards(told)) for kind, told in PLAYS.items())
    if isinstance(game, ThirteenGame | AnteGame):
        hands = {kind: parse_cards(told) for kind, told in POKER_HANDS.items()}
        return tuple(
            Example(term(kind.name.lower()), cards)
            for kind, cards in hands.items()
            if _made(game, cards) == kind
        )
    return ()


def _made(game: AnyGame, cards: tuple[Card, ...]) -> Category | None:
    """What five cards are at this table; nothing where one of them is not in its deck."""
    if any(card.is_joker for card in cards) and not getattr(game, "has_jokers", False):
        return None
    ranks = game.ranks if isinstance(game, ThirteenGame) else ranking()
    return category(ranks.five(*[CODE[card] for card in cards]))


# What is won


def winnings(game: AnyGame) -> tuple[RuleTable, ...]:
    """What is won with what."""
    match game:
        case ThirteenGame():
            return tuple(_thirteen(game))
        case Doudizhu():
            return tuple(_doudizhu(game))
        case BaccaratTable():
            return tuple(_baccarat(game))
    return tuple(
        RuleTable(one.label, tuple(Row(row.label, (row.pays,)) for row in one.rows))
        for one in paytables(game)
    )


# What a natural is made of.
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


def _thirteen(game: ThirteenGame) -> Iterator[RuleTable]:
    columns = tuple(capfirst(term(name)) for name in ROWS.values())
    kinds = {kind for _row, kind in game.row_prices}
    priced = [_priced(game, kind) for kind in reversed(Category) if kind in kinds]
    other = Row(_("Any other") if priced else _("Any row"), (_number(1),) * len(ROWS))
    yield RuleTable(_("A row won"), (*priced, other), columns)
    if isinstance(game, ChinesePoker):
        extra = Row(_("More rows won than lost"), (_extra_point(game),))
        yield RuleTable(_("Beside the rows"), (extra,))
    if isinstance(game, ThirteenTaiwan):
        yield RuleTable(
            _("Three plain rows won"),
            (
                Row(_("Gun: all three from one opponent"), (_number(2 * BASE_UNITS),)),
                Row(_("Home run: from each of three opponents"), (_number(4 * BASE_UNITS),)),
            ),
        )
    specials = [
        Row(capfirst(term(natural)), (_number(points),), _made_of(game, natural))
        for natural, points in game.naturals.items()
    ]
    yield RuleTable(_("Declared"), tuple(specials))


def _priced(game: ThirteenGame, kind: Category) -> Row:
    values = [
        NONE
        if row == FRONT and kind not in IN_FRONT
        else _number(game.row_prices.get((row, kind), 1))
        for row in ROWS
    ]
    return Row(capfirst(term(kind.name.lower())), tuple(values))


def _extra_point(game: ChinesePoker) -> str:
    if game.table == "plain":
        return _number(1)
    if game.extra_point == "no_premium":
        return _("{points}, where no premium is won").format(points=_number(1))
    return NONE


def _made_of(game: ThirteenGame, natural: Natural) -> str:
    if isinstance(game, ChinesePoker) and natural == Natural.TWELVE_ONE and game.twelve == "suit":
        return _("twelve cards of one suit and any other")
    return str(MADE_OF[natural])


def _doudizhu(_game: Doudizhu) -> Iterator[RuleTable]:
    doublings = {
        "bomb": (_("Each bomb"), ""),
        "rocket": (_("The rocket"), ""),
        "spring": (_("Spring"), _("the landlord wins, and neither farmer has played a card")),
        "anti_spring": (_("Anti-spring"), _("the landlord has played only once")),
    }
    rows = [
        Row(label, (f"×{Worth(1, 1, (Doubling(key, {}),)).points}",), note)
        for key, (label, note) in doublings.items()
    ]
    two = Worth(2, 1, (Doubling("bomb", {}), Doubling("rocket", {})))
    example = Row(_("Example: a call of 2, a bomb and the rocket"), (_number(two.points),))
    call = Row(_("The call"), (f"1–{CALL_MAX}",))
    yield RuleTable(_("Points from or to each farmer"), (call, *rows, example))


def _baccarat(game: BaccaratTable) -> Iterator[RuleTable]:
    six, others = game.banker_odds(6), game.banker_odds(7)
    rows = []
    for spot in SPOTS:
        odds = {"tie": TIE, "player": game.side_odds("player", 0), "banker": others}.get(spot, PAIR)
        rows.append(Row(term(spot), (odds_in_words(odds),)))
        if spot == "banker" and six != others:
            rows.append(Row(_("Banker, winning with 6"), (odds_in_words(six),)))
        if spot == "banker" and game.commission_bp:
            rows.append(Row(_("Commission on a win of banker"), (_percent(game.commission_bp),)))
    yield RuleTable(_("What bets pay"), tuple(rows))
    yield RuleTable(
        _("When the banker draws"),
        tuple(Row(str(total), _banker_draws(game, total)) for total in range(8)),
        (_("player stood"), _("player's third card counts")),
    )


def _banker_draws(game: BaccaratTable, total: int) -> tuple[str, str]:
    """Whether the banker draws on a total: when the player stood, and after which third cards."""
    stood = banker_draws(total, 6, None, game.banker_note_literal)
    thirds = [third for third in range(10) if banker_draws(total, 0, third, False)]
    runs: list[list[int]] = []
    for third in thirds:
        if runs and runs[-1][-1] == third - 1:
            runs[-1].append(third)
        else:
            runs.append([third])
    told = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return _("draws") if stood else NONE, _(", ").join(told) or NONE


# What it costs


def costs(game: AnyGame) -> tuple[RuleTable, ...]:
    """What is paid for a foul, to the house and into its pools."""
    rows = []
    if isinstance(game, ChinesePoker):
        note = _("and the opponent's premiums") if game.row_prices else ""
        rows.append(
            Row(_("A foul, to each opponent without a natural"), (_number(FOUL_POINTS),), note)
        )
    options: Any = game
    rake = 0 if options.tournament else options.rake_bp
    rows.append(Row(_("Rake on what one wins in a hand"), (_percent(rake) if rake else NONE,)))
    if isinstance(game, BonusGame):
        pools = {_("Of a bonus bet, to the jackpot"): game.jackpot_bp}
        pools[_("Of a bonus bet, to the mystery prize")] = game.mystery_bp
        played = {label: 0 if game.tournament else share for label, share in pools.items()}
        rows += [
            Row(label, (_percent(share) if share else NONE,)) for label, share in played.items()
        ]
    return (RuleTable(_("To pay"), tuple(rows)),)


# What a table asks for


def limits(game: AnyGame, currency: Currency) -> tuple[Row, ...]:
    """What one may bet and win at a table, and what a point is worth there."""
    told = {label: _span(bounds, currency) for label, bounds in _bounds(game).items()}
    rows = [Row(label, (value,)) for label, value in told.items()]
    if boxes := getattr(game, "boxes", None):
        rows.append(Row(_("Boxes"), (_number(boxes),)))
    if cut_percent := getattr(game, "cut_percent", None):
        rows.append(Row(_("Dealt before the cut card"), (_percent(100 * cut_percent),)))
    if cut_cards := getattr(game, "cut_cards", None):
        rows.append(Row(_("Cards behind the cut card"), (_number(cut_cards),)))
    return tuple(rows)


def _bounds(game: Any) -> dict[str, tuple[int, ...]]:
    """Amounts by what they bound: the least and the most, or the one."""
    found: dict[str, tuple[int, ...]] = {}
    if isinstance(game, ThirteenGame) and game.bet_limits:
        found[_("A punter's bet")] = game.bet_limits
    elif isinstance(game, ThirteenGame | Doudizhu):
        found[_("A point")] = (game.point,)  # type: ignore[union-attr]
    if isinstance(game, BaccaratTable):
        found[_("On player and on banker")] = (game.min, game.most_on("player"))
        found[_("On the tie")] = (game.min, game.most_on("tie"))
        found[_("On each pair")] = (game.min, game.most_on("player_pair"))
    elif isinstance(game, HouseGame):
        label = _("An ante") if isinstance(game, AnteGame) else _("A bet on a box")
        found[label] = (game.min, game.max)
    if isinstance(game, BonusGame):
        found[_("A bonus bet")] = (game.bonus_min, game.bonus_max)
    if isinstance(game, RussianPoker):
        found[_("Insured at most")] = (game.insurance_cap,)
    if isinstance(game, HouseGame):
        found[_("Paid at most in a round")] = (game.max_payout,)
    return found


# Figures as one writes them


def _number(number: int) -> str:
    return str(number_format(number, force_grouping=True))


def _percent(basis_points: int) -> str:
    whole, part = divmod(basis_points, 100)
    shown = number_format(whole + part / 100, 2 if part else 0)
    return f"{shown}%"


def _span(bounds: tuple[int, ...], currency: Currency) -> str:
    return "–".join(show_amount(amount, currency) for amount in bounds)
