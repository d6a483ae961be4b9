"""The parts that families against the bank share: boxes with a bonus bet, pools, wheel, hint."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from games.boards.family import KeyOf, Lines, OpenHand
from games.boards.help import Hint
from games.boards.labels import LABELS
from games.boards.rule_tables import (
    NONE,
    Paytable,
    PaytableRow,
    RuleRow,
    RuleTable,
    Winning,
    odds_row,
    odds_rows,
    percent,
    rake_row,
    to_pay,
)
from games.boards.wheel import Wheel, drawn_wheel
from games.bots.simulate import strategies
from games.rules.cards import Card
from games.rules.contract import Action, AnyGame, View
from games.rules.house.bonus import BonusGame
from games.rules.house.game import HouseGame
from games.rules.house.sides import BONUS_CARD, Segment
from games.rules.house.till import Odds

AnyBonusGame = BonusGame[Any]


def strategy_action(game: AnyGame, view: View) -> Action:
    """Return what the strategy of the rules would do in the viewer's place."""
    return strategies(game)["best"](game, view)


def box_keys(boxes: int) -> list[KeyOf]:
    """Each box has its number as its key."""
    return [(f"1–{boxes}", _("Put the chip on this box"))]


def bets_of_seats(game: HouseGame[Any], state: Any) -> dict[int, int]:
    """Return each seat's bets on all boxes and features."""
    return {stake.seat: game.committed(state, stake.seat) for stake in state.stakes}


def strategy_hint(game: AnyGame, view: View) -> Hint:
    """The same in the words of its button."""
    action = strategy_action(game, view)
    return Hint(action, str(LABELS[str(action.__struct_config__.tag)]))


def dealer_hand(cards: Sequence[Card], *makes: str, total: str = "") -> tuple[OpenHand, ...]:
    """The dealer's cards, once some lie open, with their total or what they make."""
    if not cards:
        return ()
    shown = _(", ").join(filter(None, makes))
    return (OpenHand((tuple(cards),), words=_("Dealer"), totals=(total,), makes=(shown,)),)


def qualifies_in_words(qualifies: bool | None) -> str:
    """Whether the dealer qualifies, once that is known."""
    return {True: _("qualifies"), False: _("does not qualify"), None: ""}[qualifies]


def bonus_paytable(
    game: AnyBonusGame,
    odds: Mapping[str, Odds],
    shares_bp: Mapping[str, int],
    least: Odds | None,
    bonus_card: str = "",
) -> Paytable:
    """The lines of a bonus bet; `bonus_card` is that card's name where it has another."""
    rows = list(odds_rows(odds, shares_bp, least))
    draws = game.draws()
    if "bonus_card" in draws:
        label = bonus_card or _("Bonus card")
        rows.append(odds_row("bonus_card", BONUS_CARD, label, beside=True))
    if "wheel_card" in draws:
        rows.append(_drawn("wheel", _("Wheel card: the wheel"), game.wheel_segments))
    if "lucky_card" in draws:
        rows.append(_drawn("lucky_game", _("Lucky card: a prize"), game.lucky_prizes))
    return Paytable("bonus", _("Bonus"), tuple(rows))


def _drawn(word: str, label: str, segments: Sequence[Segment]) -> PaytableRow:
    """Return a row of a paytable: what can be drawn, from the lowest multiple to the highest."""
    multiples = sorted({segment.multiple for segment in segments})
    shown = " ".join(f"×{multiple}" for multiple in multiples)
    return PaytableRow(word, label, shown, Odds(max(multiples)), beside=True)


def box_winnings(main: Winning, paytables: Iterable[Paytable]) -> dict[str, Winning]:
    """Return the prizes of the main bet of a box and of its bonus bet.

    The bonus bet wins the best line of fixed odds, and all that named cards can bring besides.
    """
    [table] = [paytable for paytable in paytables if paytable.bet == "bonus"]
    lines = [row.odds.pays for row in table.rows if row.odds and not row.beside]
    beside = sum(row.odds.pays for row in table.rows if row.odds and row.beside)
    jackpot = any(row.odds is None for row in table.rows)
    bonus = Winning(Odds(max(lines) + beside), several=True, jackpot=jackpot)
    return {"amount": main, "bonus": bonus}


def paytable_rules(paytables: Iterable[Paytable]) -> tuple[RuleTable, ...]:
    return tuple(
        RuleTable(paytable.label, tuple(RuleRow(row.label, (row.pays,)) for row in paytable.rows))
        for paytable in paytables
    )


def bonus_costs(game: AnyBonusGame) -> tuple[RuleTable, ...]:
    """The rake, and what the pools get of a bonus bet."""
    pools = {_("Of a bonus bet, to the jackpot"): game.jackpot_bp}
    pools[_("Of a bonus bet, to the mystery prize")] = game.mystery_bp
    played = {label: 0 if game.tournament else share for label, share in pools.items()}
    rows = [RuleRow(label, (percent(share) if share else NONE,)) for label, share in played.items()]
    return to_pay(rake_row(game), *rows)


def spun_wheel(
    game: AnyBonusGame, view: Any, lines: Lines, dealt: Iterable[Sequence[Card]]
) -> Wheel | None:
    """The wheel, once it is spun for one of the `dealt` boxes that holds the wheel card.

    Which of a split box's cards were dealt first cannot be seen; where the wheel pays something for
    one, the lines of the settlement say so.
    """
    sides = view.sides
    if sides is None or sides.wheel_multiple is None:
        return None
    is_paid = any(line["key"] == "wheel" for line in lines)
    if not is_paid and not any(sides.wheel_card in cards for cards in dealt):
        return None
    return drawn_wheel(game.wheel_segments, sides.wheel_multiple)
