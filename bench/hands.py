"""What a move, the end of a hand and a deal cost in the service layer: python -m bench.hands

Three people play Dou Dizhu in a house of its own on SQLite, by the verbs that a request and the
clock call, with all that follows the commit. Each kind of step is measured by the processor time of
this process and given in the additions that the same core makes in that time, so other work on the
machine disturbs it little. R says how many are made for every million additions.
"""

from datetime import UTC, datetime
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Final

from bench.calibration import additions_per_second
from tests.houses import open_house

if TYPE_CHECKING:
    from games.models import Table

ROUNDS: Final = 5
SECONDS: Final = 4
# As many as a hand that is played out has, about: bots make 25 to 40.
MOVES_OF_A_HAND: Final = 30


class Steps:
    """Hands at one table, and how many million additions each step of them took."""

    def __init__(self, table_id: int) -> None:
        self.table_id = table_id
        self.took: dict[str, list[float]] = {"move": [], "end": [], "deal": []}

    def play(self, seconds: float, millions_a_second: float) -> None:
        from games.models import Table
        from games.tables import clock

        until = process_time() + seconds
        while process_time() < until:
            table = Table.objects.get(pk=self.table_id)
            if table.hand_id is not None:
                self._hand(table, table.hand_id, millions_a_second)
                continue
            now = max(table.due_at or datetime.now(UTC), datetime.now(UTC))
            began = process_time()
            clock.tick(self.table_id, now)
            self.took["deal"].append((process_time() - began) * millions_a_second)

    def _hand(self, table: "Table", hand_id: int, millions_a_second: float) -> None:
        from msgspec import to_builtins

        from games.models import Hand
        from games.tables import hand_verbs
        from games.tables.hand_state import game_of, state_of

        hand = Hand.objects.select_related("shoe").get(pk=hand_id)
        game = game_of(hand)
        state = state_of(hand, game, hand.moves.order_by("number"))
        players = {seat.number: seat.player for seat in table.seats.select_related("player")}
        turn = table.moves_made
        while game.to_act(state):
            (seat,) = game.to_act(state)
            action = game.fallback(state, seat)
            after, sent = game.apply(state, seat, action), to_builtins(action)
            began = process_time()
            hand_verbs.act(players[int(seat)], table.pk, hand.pk, turn, sent, datetime.now(UTC))
            what = "move" if game.to_act(after) else "end"
            self.took[what].append((process_time() - began) * millions_a_second)
            state, turn = after, turn + 1


def main() -> None:
    with open_house():
        from bench.play import open_table

        steps = Steps(open_table(0))
        for _ in range(ROUNDS):
            steps.play(SECONDS, additions_per_second(process_time) / 1e6)
        cost = {what: median(each) for what, each in steps.took.items()}
        for what, millions in cost.items():
            count = len(steps.took[what])
            print(f"{what:<5} {1000 * millions:6.0f}k additions, {1 / millions:5.1f} R ({count})")
        hand = MOVES_OF_A_HAND * cost["move"] + cost["end"] + cost["deal"]
        print(f"a move of a hand with {MOVES_OF_A_HAND}, its deal and its end in it: ", end="")
        print(f"{MOVES_OF_A_HAND / hand:.1f} R")


if __name__ == "__main__":
    main()
