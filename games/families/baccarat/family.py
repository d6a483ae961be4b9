"""Baccarat's answers to the questions of `games.boards.family`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.family import Family, FamilyTemplates, KeyOf, LobbyNotes, OpenHand, Panel
from games.boards.help import Advice, Deed, Depth, Hint, Moment, Path, summed_up
from games.boards.rule_tables import (
    NONE,
    RuleRow,
    RuleTable,
    Winning,
    bound_rows,
    number,
    odds_in_words,
    percent,
)
from games.boards.spots import Felt, Offer, Spot
from games.families import house
from games.families.baccarat.road_maps import small_big_road
from games.families.baccarat.roads import READS_OF_RESULTS, marks_of, results_at
from games.families.house import strategy_hint
from games.models import Table
from games.models.combined import Read
from games.rules.baccarat.coup import banker_draws
from games.rules.baccarat.game import PAIR, SPOTS, TIE, BaccaratTable, BaccaratView
from games.rules.baccarat.odds import BaccaratOdds, exact_odds
from games.rules.cards import Card
from games.rules.contract import State
from games.rules.house.till import EVEN, Odds
from games.words.naming import term
from wallets.models import Currency


def _moments(path: Path) -> Iterator[Moment]:
    edges = odds_of(path.game).edges
    cheapest = min(edges, key=lambda spot: edges[spot])
    # The bets that stood when the betting ended, each at the step of its last chip.
    steps = {
        decision.action.on: decision.step for decision in path.decisions() if decision.do == "bet"
    }
    mine = [bet for bet in path.states[-1].wagers if bet.seat == path.seat]  # type: ignore[attr-defined]
    for bet in sorted(mine, key=lambda bet: steps[bet.on]):
        step, edge = steps[bet.on], edges[bet.on]
        situation = _("A bet of {amount}").format(amount=path.money(bet.amount))
        done = Deed(term(bet.on), worth=_share(edge))
        if edge == edges[cheapest]:
            yield Moment(step, situation, done)
        else:
            cost = path.money(float((edge - edges[cheapest]) * bet.amount))
            yield Moment(
                step, situation, done, Deed(term(cheapest), worth=_share(edges[cheapest])), cost
            )


@cache
def odds_of(game: BaccaratTable) -> BaccaratOdds:
    """The odds of a full shoe; the cards already dealt hardly change them."""
    return exact_odds(game, game.composition())


def _share(edge: object) -> str:
    return _("the house keeps {percent} % on average").format(percent=f"{100 * float(edge):.2f}")  # type: ignore[arg-type]


def _winnings(game: BaccaratTable) -> Iterator[RuleTable]:
    six, others = game.banker_odds(6), game.banker_odds(7)
    rows = []
    for spot in SPOTS:
        odds = {"tie": TIE, "player": game.side_odds("player", 0), "banker": others}.get(spot, PAIR)
        rows.append(RuleRow(term(spot), (odds_in_words(odds),)))
        if spot == "banker" and six != others:
            rows.append(RuleRow(_("Banker, winning with 6"), (odds_in_words(six),)))
        if spot == "banker" and game.commission_bp:
            rows.append(RuleRow(_("Commission on a win of banker"), (percent(game.commission_bp),)))
    yield RuleTable(_("What bets pay"), tuple(rows))
    yield RuleTable(
        _("When the banker draws"),
        tuple(RuleRow(str(total), _banker_draws(game, total)) for total in range(8)),
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
    spans = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    return _("draws") if stood else NONE, _(", ").join(spans) or NONE


def _makes(cards: Sequence[Card], total: int, pair: bool) -> str:
    """What a side is besides its total: a natural, and a pair that bets are paid for."""
    shown = (len(cards) == 2 and total >= NATURAL and _("natural"), pair and _("pair"))
    return _(", ").join(word for word in shown if word)


WHOLE_BP: Final = 10_000
NATURAL: Final = 8


def _spots(felt: Felt, standing: dict[Any, int]) -> Iterator[Spot]:
    game = felt.game
    for key, on in enumerate(SPOTS, 1):
        fields = {"at": on, "do": "bet", "name": "on", "value": on, "money": "amount"}
        fields["pressed"] = str(key)
        placed = standing.get(on, 0)
        label = capfirst(term(on))
        yield felt.spot(on, label, game.min, game.most_on(on), standing=placed, **fields)


def _bet_winnings(game: BaccaratTable) -> Iterator[tuple[str, Winning]]:
    most = game.max_payout
    yield "player", Winning(EVEN, most=most)
    kept = Odds(WHOLE_BP - game.commission_bp, WHOLE_BP)
    banker = {game.banker_odds(total) for total in range(10)}
    yield "banker", Winning(kept if game.commission_bp else EVEN, len(banker) > 1, most=most)
    yield "tie", Winning(TIE, most=most)
    for pair in ("player_pair", "banker_pair"):
        yield pair, Winning(PAIR, most=most)


class BaccaratFamily(Family[BaccaratTable, BaccaratView]):
    def templates(self, game: str) -> FamilyTemplates:
        return FamilyTemplates(
            board="families/baccarat/board.html",
            page="baccarat",
            cloth="families/house/cloth.html",
            panels=(Panel("roads", _l("Roads"), "families/baccarat/panel.html"),),
        )

    def keys(self, game: BaccaratTable) -> Sequence[KeyOf]:
        """The spots in the order in which they are read."""
        return [(str(number), term(spot)) for number, spot in enumerate(SPOTS, 1)]

    def bets(self, felt: Felt, view: BaccaratView) -> Offer:
        """The spots with what the viewer has on them."""
        mine = {wager.on: wager.amount for wager in view.wagers if wager.seat == view.seat}
        return Offer(spots=tuple(_spots(felt, mine)))

    def bets_of_seats(self, game: BaccaratTable, state: State) -> Mapping[int, int]:
        return house.bets_of_seats(game, state)

    def bet_winnings(self, game: BaccaratTable) -> dict[str, Winning]:
        return dict(_bet_winnings(game))

    def open_hands(self, view: BaccaratView) -> tuple[OpenHand, ...]:
        if view.coup is None:
            return ()
        coup = view.coup
        sides = (
            ("player", coup.player, coup.player_total, coup.player_pair),
            ("banker", coup.banker, coup.banker_total, coup.banker_pair),
        )
        return tuple(
            OpenHand(
                (cards,),
                words=term(side),
                totals=(str(total),),
                makes=(_makes(cards, total, pair),),
            )
            for side, cards, total, pair in sides
        )

    def hint(self, game: BaccaratTable, view: BaccaratView) -> Hint:
        return strategy_hint(game, view)

    def depth(self, game: BaccaratTable, dealt: int) -> Depth:
        left = len(game.composition()) - dealt
        return Depth(left, max(0, left - game.cut_cards))

    def winnings(self, game: BaccaratTable) -> tuple[RuleTable, ...]:
        return tuple(_winnings(game))

    def limits(self, game: BaccaratTable, currency: Currency) -> tuple[RuleRow, ...]:
        bounds: dict[str, tuple[int, ...]] = {
            _("On player and on banker"): (game.min, game.most_on("player")),
            _("On the tie"): (game.min, game.most_on("tie")),
            _("On each pair"): (game.min, game.most_on("player_pair")),
            _("Paid at most in a round"): (game.max_payout,),
        }
        cut = RuleRow(_("Cards behind the cut card"), (number(game.cut_cards),))
        return (*bound_rows(bounds, currency), cut)

    def lobby_notes(self, tables: Sequence[Table], now: datetime) -> Mapping[int, LobbyNotes]:
        """Good roads by name, and the end of the big road."""
        return {
            table: LobbyNotes(tuple(marks_of(results)), small_big_road(results))
            for table, results in results_at(tables, now).items()
        }

    def lobby_reads(self) -> Sequence[Read]:
        return READS_OF_RESULTS

    def advise(self, path: Path) -> Advice:
        return summed_up(list(_moments(path)))


FAMILY: Final[Family[BaccaratTable, BaccaratView]] = BaccaratFamily()
