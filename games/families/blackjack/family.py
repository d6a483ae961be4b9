"""Blackjack's answers to the questions of `games.boards.family`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from django.utils.translation import gettext as _

from games.boards.advice import Advice, Path
from games.boards.box_results import BoxBets
from games.boards.family import (
    Bar,
    Family,
    FamilyTemplates,
    KeyOf,
    Lines,
    OpenHand,
    Printed,
)
from games.boards.help import Depth, Filled, Hint
from games.boards.labels import DECLINE, LABELS
from games.boards.paytables import Paytable
from games.boards.rule_tables import Row, RuleTable, bound_rows, number, percent
from games.boards.spots import Felt, Offer
from games.boards.wheel import Wheel
from games.boards.winnings import Winning
from games.families import house
from games.families.blackjack import bets, coach, paytables
from games.families.blackjack.tags import blackjack_total
from games.families.house import (
    bonus_costs,
    dealer_hand,
    paytable_rules,
    spun_wheel,
    strategy_action,
)
from games.families.plain import PlainFamily
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.view import BlackjackView
from games.rules.cards import Card
from games.rules.contract import State
from wallets.models import Currency


class BlackjackFamily(PlainFamily[Blackjack, BlackjackView]):
    decisions: ClassVar[Bar] = {"hit": ("hit", "stand", "double", "split", "surrender")}

    def templates(self, game: str) -> FamilyTemplates:
        return FamilyTemplates(
            board="families/blackjack/board.html",
            head="games/families/house/head.html",
            decision="families/blackjack/decision.html",
            cloth="families/house/cloth.html",
        )

    def printed(self, game: Blackjack) -> Printed:
        draws = _("Dealer hits soft 17") if game.hit_soft_17 else _("Dealer stands on all 17s")
        beside = " · ".join((_("Insurance pays 2 to 1"), draws))
        return Printed((_("Blackjack pays 3 to 2"), beside), tuple(range(1, game.box_count + 1)))

    def keys(self, game: Blackjack) -> Sequence[KeyOf]:
        return house.box_keys(game.box_count)

    def context(self, game: Blackjack, view: BlackjackView, fill: Filled) -> Mapping[str, object]:
        return {"insurance": _("Insurance pays when the dealer has blackjack, at 2:1.")}

    def bets(self, felt: Felt, view: BlackjackView) -> Offer | None:
        return bets.offered(felt, view)

    def bets_of_seats(self, game: Blackjack, state: State) -> Mapping[int, int]:
        return house.bets_of_seats(game, state)

    def box_bets(self, view: BlackjackView) -> Mapping[int, BoxBets]:
        return bets.on_boxes(view)

    def bet_winnings(self, game: Blackjack) -> dict[str, Winning]:
        return bets.bet_winnings(game)

    def open_hands(self, view: BlackjackView) -> tuple[OpenHand, ...]:
        """The hands of each box, which is its first player's."""
        boxes = [
            OpenHand(
                tuple(hand.cards for hand in box.hands),
                player.seat,
                totals=tuple(blackjack_total(hand.cards) for hand in box.hands),
            )
            for box in view.boxes
            if box.hands
            for player in box.players[:1]
        ]
        return (*dealer_hand(view.dealer, blackjack_total(view.dealer)), *boxes)

    def hint(self, game: Blackjack, view: BlackjackView) -> Hint:
        return hint(game, view)

    def depth(self, game: Blackjack, dealt: int) -> Depth | None:
        if game.shuffle_every_round:
            return None
        left = len(game.composition()) - dealt
        return Depth(left, game.cards_to_cut(left))

    def wheel(self, game: Blackjack, view: BlackjackView, lines: Lines) -> Wheel | None:
        return spun_wheel(game, view, lines, _cards_with_bonus(view))

    def paytables(self, game: Blackjack) -> tuple[Paytable, ...]:
        return paytables.paytables(game)

    def winnings(self, game: Blackjack) -> tuple[RuleTable, ...]:
        return paytable_rules(paytables.paytables(game))

    def costs(self, game: Blackjack) -> tuple[RuleTable, ...]:
        return bonus_costs(game)

    def limits(self, game: Blackjack, currency: Currency) -> tuple[Row, ...]:
        return limits(game, currency)

    def advise(self, path: Path) -> Advice:
        return coach.advise(path)


def hint(game: Blackjack, view: BlackjackView) -> Hint:
    """The strategy's advice, in the words of the decision at hand."""
    action = strategy_action(game, view)
    do = str(action.__struct_config__.tag)
    if do == "follow" and not getattr(action, "yes", True):
        return Hint(action, _("Do not follow"))
    if do == "stand" and view.phase == "insurance":
        return Hint(action, str(DECLINE))
    return Hint(action, str(LABELS[do]))


def limits(game: Blackjack, currency: Currency) -> tuple[Row, ...]:
    bounds: dict[str, tuple[int, ...]] = {
        _("A bet on a box"): (game.min, game.max),
        _("A bonus bet"): (game.bonus_min, game.bonus_max),
        _("Paid at most in a round"): (game.max_payout,),
    }
    return (
        *bound_rows(bounds, currency),
        Row(_("Boxes"), (number(game.boxes),)),
        Row(_("Dealt before the cut card"), (percent(100 * game.cut_percent),)),
    )


def _cards_with_bonus(view: BlackjackView) -> Iterator[Sequence[Card]]:
    """The first cards of boxes with a bonus bet, where they have not been split."""
    for box in view.boxes:
        if len(box.hands) == 1 and any(player.bonus for player in box.players):
            yield box.hands[0].cards[:2]


FAMILY: Final[Family[Blackjack, BlackjackView]] = BlackjackFamily()
