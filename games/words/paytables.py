"""What a table pays, as its own options and the rules have it: no figure is written here.

A table of figures is read out of what the rules pay by, so that a changed option or rule changes
what players are told. Shares of the jackpot stand in the place of odds where there is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules.blackjack import bonus as blackjack_bonus
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import BLACKJACK, INSURANCE
from games.rules.casino_holdem import paytables as holdem
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import AnyGame
from games.rules.house.bonus import BonusGame
from games.rules.house.sides import BONUS_CARD, Segment
from games.rules.house.till import EVEN, Odds
from games.rules.poker import CATEGORY_SHIFT, Category
from games.rules.russian_poker import bonus as russian_bonus
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import PAYTABLE
from games.words.naming import term


class Row(NamedTuple):
    """One line: a combination by the rules' word for it, how it is called, and what it pays."""

    word: str
    label: str
    pays: str
    # None where it is a share of the jackpot; the best of what can be drawn.
    odds: Odds | None = None
    # Whether it is paid beside what the cards make.
    beside: bool = False


class Paytable(NamedTuple):
    """The lines of one bet, the best first."""

    bet: str
    label: str
    rows: tuple[Row, ...]


def paytables(game: AnyGame) -> tuple[Paytable, ...]:
    """All that a table with a bonus bet pays; nothing for other games."""
    if isinstance(game, Blackjack):
        return tuple(_blackjack(game))
    if isinstance(game, CasinoHoldem):
        return tuple(_holdem(game))
    if isinstance(game, RussianPoker):
        return tuple(_russian(game))
    return ()


def odds_in_words(odds: Odds) -> str:
    return f"{odds.pays}:{odds.to}"


def share_in_words(share_bp: int) -> str:
    share = f"{share_bp / 100:g}"
    return _("{share}% of the jackpot").format(share=share)


def _row(word: str, odds: Odds, label: str = "", *, beside: bool = False) -> Row:
    return Row(word, label or capfirst(term(word)), odds_in_words(odds), odds, beside)


def _rows(odds: Mapping[str, Odds], shares_bp: Mapping[str, int]) -> Iterator[Row]:
    """The lines of a table of odds, from the highest down; shares stand above them."""
    for word, share_bp in reversed(list(shares_bp.items())):
        yield Row(word, capfirst(term(word)), share_in_words(share_bp))
    for word, one in reversed(list(odds.items())):
        yield _row(word, one)


def _blackjack(game: Blackjack) -> Iterator[Paytable]:
    rows = (
        _row("blackjack", BLACKJACK),
        _row("hand", EVEN, _("Higher total")),
        _row("insurance", INSURANCE),
        _row("even_money", EVEN),
    )
    yield Paytable("hand", _("Main bet"), rows)
    shares = game.jackpot_shares
    by_share = (
        (blackjack_bonus.SPADE_777, shares.spades),
        (blackjack_bonus.SUITED_777, shares.suited),
    )
    fixed = (
        *(one for one, share_bp in by_share if not share_bp),
        blackjack_bonus.SUITED_678,
        blackjack_bonus.MIXED_777,
        blackjack_bonus.MIXED_678,
        blackjack_bonus.SUITED_BLACKJACK,
        blackjack_bonus.MIXED_BLACKJACK,
    )
    odds = {one.name: one.odds for one in reversed(fixed) if one.odds}
    yield _bonus(game, odds, {one.name: share for one, share in reversed(by_share) if share})


def _holdem(game: CasinoHoldem) -> Iterator[Paytable]:
    lower = _row("straight", EVEN, _("Straight or lower"))
    higher = [
        _row(kind.name.lower(), holdem.ante_odds(kind << CATEGORY_SHIFT))
        for kind in reversed(Category)
        if kind in holdem.ANTE_ODDS
    ]
    yield Paytable("ante", _("Ante"), (*higher, lower))
    yield Paytable("call", _("Call"), (_row("call", EVEN),))
    yield _bonus(game, *_with_shares(holdem.BONUS_ODDS, game.shares_bp))


def _russian(game: RussianPoker) -> Iterator[Paytable]:
    yield Paytable("bet", _("Bet, and once more for the second hand"), tuple(_rows(PAYTABLE, {})))
    unqualified = _row("ante", EVEN, _("Ante, when the dealer does not qualify"))
    yield Paytable("ante", _("Other bets"), (unqualified, _row("insurance", EVEN)))
    yield _bonus(game, *_with_shares(russian_bonus.BONUS_TABLE, game.jackpot_shares))


def _with_shares(
    odds: Mapping[str, Odds], shares_bp: Mapping[str, int] | None
) -> tuple[Mapping[str, Odds], Mapping[str, int]]:
    """Where no jackpot is played for, its hands pay what four of a kind pays."""
    if shares_bp:
        return odds, shares_bp
    return {**odds, **dict.fromkeys(russian_bonus.JACKPOT_HANDS, odds["four"])}, {}


def _bonus(
    game: BonusGame[Any], odds: Mapping[str, Odds], shares_bp: Mapping[str, int]
) -> Paytable:
    rows = list(_rows(odds, shares_bp))
    draws = game.draws()
    if "bonus_card" in draws:
        rows.append(_row("bonus_card", BONUS_CARD, _("Bonus card"), beside=True))
    if "wheel_card" in draws:
        rows.append(_drawn("wheel", _("Wheel card: the wheel"), game.wheel_segments))
    if "lucky_card" in draws:
        rows.append(_drawn("lucky_game", _("Lucky card: a prize"), game.lucky_prizes))
    return Paytable("bonus", _("Bonus"), tuple(rows))


def _drawn(word: str, label: str, segments: Sequence[Segment]) -> Row:
    """What can be drawn, from the lowest multiple to the highest."""
    multiples = sorted({segment.multiple for segment in segments})
    told = " ".join(f"×{multiple}" for multiple in multiples)
    return Row(word, label, told, Odds(max(multiples)), beside=True)
