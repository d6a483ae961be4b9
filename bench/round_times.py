"""How long a round against the house takes one who acts at once: from bet to next bet.

    python -m bench.round_times [ROUNDS [GAME ...]]

A player whose browser answers at once bets as before, decides by the strategy, and bets again while
the result is shown: alone, and next to a seated player who only watches. `house` are the
seconds for which the house's own clock made the player wait, and `work` those that the requests of
the round took this process. Cards that move and wait to be read are no part of it: a tap ends them.
"""

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tests.houses import open_house

if TYPE_CHECKING:
    from games.models import Table
    from tests.games.house import House

ROUNDS: Final = 30
# What is aimed at for blackjack, both together.
SECONDS_MAX: Final = 2.5
BETS: Final[dict[str, dict[str, Any]]] = {
    "blackjack": {"do": "bet", "box": 1, "amount": 500},
    "casino_holdem": {"do": "ante", "box": 1, "amount": 500},
    "russian_poker": {"do": "ante", "box": 1, "amount": 500},
    "baccarat": {"do": "bet", "on": "player", "amount": 500},
}


class RoundTime(NamedTuple):
    """Seconds of a round on average."""

    house: float
    work: float

    @property
    def seconds(self) -> float:
        return self.house + self.work


class Player:
    """One who bets and decides at once, with the browsers of all who sit at the table."""

    def __init__(self, house: "House", table: "Table", names: list[str]) -> None:
        self.house, self.table, self.names = house, table, names

    def mix(self) -> bool:
        """Let every browser take part in mixing the shoe; whether one had something to do."""
        from tests.games.commit_reveal import Device

        self.table.refresh_from_db()
        before = self.table.version
        for name in self.names if self.table.shoe is not None else ():
            if self.table.phase != "play":
                Device(self.house, self.table, name).answer()
        return self.table.version != before

    def until(self, reached: Callable[["Table"], bool]) -> None:
        """Act if it is this player's turn; let time pass only if no player can act."""
        self.table.refresh_from_db()
        while not reached(self.table):
            if not (self.mix() or self.decide()):
                self.house.until_due(self.table)
            self.table.refresh_from_db()

    def decide(self) -> bool:
        number = str(self.house.seat(self.table, self.names[0]).number)
        if self.table.hand_id is None or number not in self.table.turns:
            return False
        state: Any = self.house.state(self.table)[1]
        if state.phase == "bet":
            return False
        action = self.house.best_action(self.table, self.names[0])
        self.house.act(self.table, self.names[0], action)
        return True


def round_time_of(game: str, rounds: int, beside: bool) -> RoundTime:
    from games.tables import ready_players
    from tests.games.house import House

    house = House()
    house.now = datetime.now(UTC)
    table = house.table(game, buy_in_max=5_000_000)
    names = [f"{name}-{game}-{beside}" for name in ("alice", "bob")][: 1 + beside]
    for number, name in enumerate(names, 1):
        house.sit(house.player(name), table, number, 5_000_000)
    player = Player(house, table, names)
    player.until(lambda table: table.hand_id is not None)
    for action in (BETS[game], {"do": "done"}):
        house.act(table, names[0], action)
    house_seconds = work_seconds = 0.0
    for played in range(1, rounds + 1):
        began, clock = house.now, perf_counter()

        def is_over(table: "Table", played: int = played) -> bool:
            return table.hands_dealt == played and table.hand_id is None and table.shoe is not None

        player.until(is_over)
        ready_players.bet_again(house.person(names[0]), table.pk, played, house.now)
        house_seconds += (house.now - began).total_seconds()
        work_seconds += perf_counter() - clock
    return RoundTime(house_seconds / rounds, work_seconds / rounds)


def main() -> None:
    rounds = int(sys.argv[1]) if sys.argv[1:] else ROUNDS
    with open_house():
        for game in sys.argv[2:] or BETS:
            for beside in (False, True):
                taken = round_time_of(game, rounds, beside)
                aim = f" of {SECONDS_MAX} s" if game == "blackjack" else " s"
                where = "beside a watcher" if beside else "alone"
                print(
                    f"{game:<14} {where:<17} {taken.seconds:5.2f}{aim}: "
                    f"house {taken.house:.2f}, work {taken.work:.2f}",
                    flush=True,
                )
                if game == "blackjack" and taken.seconds > SECONDS_MAX:
                    raise SystemExit("a round takes longer than it may")


if __name__ == "__main__":
    main()
