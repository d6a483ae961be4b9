"""Baccarat's answers to the questions of `games.boards.family`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy as _l

from games.boards.advice import Advice, Path
from games.boards.family import Family, FamilyTemplates, KeyOf, LobbyNotes, OpenHand, Panel
from games.boards.help import Depth, Hint
from games.boards.rule_tables import Row, RuleTable
from games.boards.spots import Felt, Offer
from games.boards.winnings import Winning
from games.families import house
from games.families.baccarat import bets, coach, rules_page
from games.families.baccarat.road_maps import small_big_road
from games.families.baccarat.road_patterns import marks_of
from games.families.baccarat.roads import results_at
from games.families.house import strategy_hint
from games.families.plain import PlainFamily
from games.models import Table
from games.rules.baccarat.game import SPOTS, BaccaratTable, BaccaratView
from games.rules.contract import State
from games.words.naming import term
from wallets.models import Currency


class BaccaratFamily(PlainFamily[BaccaratTable, BaccaratView]):
    def templates(self, game: str) -> FamilyTemplates:
        return FamilyTemplates(
            board="families/baccarat/board.html",
            head="games/families/baccarat/head.html",
            cloth="families/house/cloth.html",
            panels=(Panel("roads", _l("Roads"), "families/baccarat/panel.html"),),
        )

    def keys(self, game: BaccaratTable) -> Sequence[KeyOf]:
        """The spots in the order in which they are read."""
        return [(str(number), term(spot)) for number, spot in enumerate(SPOTS, 1)]

    def bets(self, felt: Felt, view: BaccaratView) -> Offer:
        return bets.offered(felt, view)

    def bets_of_seats(self, game: BaccaratTable, state: State) -> Mapping[int, int]:
        return house.bets_of_seats(game, state)

    def bet_winnings(self, game: BaccaratTable) -> dict[str, Winning]:
        return dict(bets.bet_winnings(game))

    def open_hands(self, view: BaccaratView) -> tuple[OpenHand, ...]:
        if view.coup is None:
            return ()
        coup = view.coup
        sides = (
            ("player", coup.player, coup.player_total),
            ("banker", coup.banker, coup.banker_total),
        )
        return tuple(
            OpenHand((cards,), words=term(side), totals=(str(total),))
            for side, cards, total in sides
        )

    def hint(self, game: BaccaratTable, view: BaccaratView) -> Hint:
        return strategy_hint(game, view)

    def depth(self, game: BaccaratTable, dealt: int) -> Depth:
        left = len(game.composition()) - dealt
        return Depth(left, max(0, left - game.cut_cards))

    def winnings(self, game: BaccaratTable) -> tuple[RuleTable, ...]:
        return tuple(rules_page.winnings(game))

    def limits(self, game: BaccaratTable, currency: Currency) -> tuple[Row, ...]:
        return rules_page.limits(game, currency)

    def lobby_notes(self, tables: Sequence[Table], now: datetime) -> Mapping[int, LobbyNotes]:
        """Good roads by name, and the end of the big road."""
        return {
            table: LobbyNotes(tuple(marks_of(results)), small_big_road(results))
            for table, results in results_at(tables, now).items()
        }

    def advise(self, path: Path) -> Advice:
        return coach.advise(path)


FAMILY: Final[Family[BaccaratTable, BaccaratView]] = BaccaratFamily()
