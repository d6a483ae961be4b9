"""The answers of Russian poker and casino hold'em to the questions of `games.boards.family`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from games.boards.family import (
    Bar,
    Family,
    FamilyTemplates,
    KeyOf,
    Lines,
    OpenHand,
    Printed,
)
from games.boards.help import Advice, Filled, Hint, Path
from games.boards.rule_tables import Example, Paytable, RuleRow, RuleTable, Winning, bound_rows
from games.boards.settlement_view import BoxBets
from games.boards.spots import Felt, Offer
from games.boards.wheel import Wheel
from games.families import house
from games.families.house import (
    bonus_costs,
    box_winnings,
    paytable_rules,
    spun_wheel,
    strategy_hint,
)
from games.families.poker import bets, casino_holdem, russian_poker
from games.families.poker_hands import poker_examples
from games.rules.cards import Card
from games.rules.contract import State
from games.rules.poker import ranking
from wallets.models import Currency


class PokerGame(NamedTuple):
    """The part in which the two games differ."""

    paytables: Callable[[Any], tuple[Paytable, ...]]
    main_winning: Callable[[Any], Winning]
    advise: Callable[[Path], Advice]
    decision_bar: Bar
    printed: Callable[[], tuple[str, ...]]
    open_hands: Callable[[Any], tuple[OpenHand, ...]]
    own_hand: Callable[[Any], str] = lambda _view: ""


GAMES: Final = {
    "casino_holdem": PokerGame(
        casino_holdem.paytables,
        casino_holdem.main_winning,
        casino_holdem.advise,
        {"fold": ("fold", "call")},
        lambda: (_("Dealer qualifies with a pair of fours"), _("Call pays 1 to 1")),
        casino_holdem.open_hands,
        casino_holdem.own_hand,
    ),
    "russian_poker": PokerGame(
        russian_poker.paytables,
        russian_poker.main_winning,
        russian_poker.advise,
        {
            "fold": ("exchange", "buy", "insure", "fold", "bet"),
            "accept": ("buy_dealer", "accept"),
        },
        lambda: (_("Dealer qualifies with ace-king"), _("A second combination pays too")),
        russian_poker.open_hands,
    ),
}


class PokerFamily(Family[object, object]):
    """Both poker games; `GAMES` holds what differs between them."""

    def templates(self, game: str) -> FamilyTemplates:
        return FamilyTemplates(
            board=f"families/poker/{game}.html",
            page="house",
            decision="families/poker/decision.html",
            cloth="families/house/cloth.html",
        )

    def printed(self, game: Any) -> Printed:
        return Printed(GAMES[game.key].printed(), tuple(range(1, game.box_count + 1)))

    def keys(self, game: Any) -> Sequence[KeyOf]:
        return house.box_keys(game.box_count)

    def context(self, game: object, view: object, fill: Filled) -> Mapping[str, object]:
        return {"insurance": _("Insurance pays when the dealer does not qualify, at 1:1.")}

    def bets(self, felt: Felt, view: object) -> Offer:
        return bets.offered(felt, view)

    def bets_of_seats(self, game: Any, state: State) -> Mapping[int, int]:
        return house.bets_of_seats(game, state)

    def box_bets(self, view: object) -> Mapping[int, BoxBets]:
        return bets.on_boxes(view)

    def bet_winnings(self, game: Any) -> dict[str, Winning]:
        return box_winnings(GAMES[game.key].main_winning(game), self.paytables(game))

    def decision_bar(self, game: Any) -> Bar:
        return GAMES[game.key].decision_bar

    def decided_boxes(self, game: Any, state: Any, seat: int) -> Sequence[int]:
        if state.phase != "dealer":
            return ()
        return [box.box for box in state.boxes if box.seat == seat and box.is_in]

    def own_hand(self, game: Any, view: object) -> str:
        return GAMES[game.key].own_hand(view)

    def open_hands(self, view: Any) -> tuple[OpenHand, ...]:
        return GAMES[view.__struct_config__.tag].open_hands(view)

    def hint(self, game: Any, view: Any) -> Hint:
        return strategy_hint(game, view)

    def wheel(self, game: Any, view: object, lines: Lines) -> Wheel | None:
        return spun_wheel(game, view, lines, _cards_with_bonus(view))

    def paytables(self, game: Any) -> tuple[Paytable, ...]:
        return GAMES[game.key].paytables(game)

    def examples(self, game: object) -> tuple[Example, ...]:
        return poker_examples(ranking())

    def winnings(self, game: object) -> tuple[RuleTable, ...]:
        return paytable_rules(self.paytables(game))

    def costs(self, game: Any) -> tuple[RuleTable, ...]:
        return bonus_costs(game)

    def limits(self, game: Any, currency: Currency) -> tuple[RuleRow, ...]:
        bounds: dict[str, tuple[int, ...]] = {
            _("An ante"): (game.min, game.max),
            _("A bonus bet"): (game.bonus_min, game.bonus_max),
        }
        if insured := getattr(game, "insurance_cap", None):
            bounds[_("Insured at most")] = (insured,)
        bounds[_("Paid at most in a round")] = (game.max_payout,)
        return bound_rows(bounds, currency)

    def advise(self, path: Path) -> Advice:
        return GAMES[path.game.key].advise(path)


def _cards_with_bonus(view: Any) -> Iterator[Sequence[Card]]:
    """The cards that were dealt to boxes with a bonus bet."""
    for box in view.boxes:
        if box.bonus:
            hands = getattr(view, "hands", (box,))
            yield from (getattr(hand, "dealt", hand.cards) for hand in hands if hand.box == box.box)


FAMILY: Final[Family[object, object]] = PokerFamily()
