"""An evening of play in the house that is attacked: two honest players at six tables."""

from collections.abc import Callable
from typing import Any

from tests.attack.attackers import Program, until

BUY_IN = 40_000
ANTE = {"do": "ante", "box": 1, "amount": 500, "bonus": 500}
BETS: dict[str, dict[str, Any]] = {
    # Without a bonus bet, for which all would see the cards that were dealt.
    "russian_poker": {"do": "ante", "box": 1, "amount": 500},
    "casino_holdem": ANTE,
    "blackjack": {"do": "bet", "box": 1, "amount": 500, "bonus": 500},
    "baccarat": {"do": "bet", "on": "player", "amount": 500},
}
AMONG_PLAYERS = ("chinese_poker", "doudizhu")
# So many hands of each are played before an attack falsifies them.
HANDS = {"chinese_poker": 2, "baccarat": 2}


class Evening:
    """The players of an evening, their seats and what they do."""

    def __init__(self, house: Any) -> None:
        self.house = house
        self.alice: Program = house.program("alice")
        # Turns have time enough, and the next hand comes soon.
        seconds = "decision_seconds = 600, betting_seconds = 600, pause_seconds = 3"
        house.sql(f"UPDATE games_table SET {seconds}")
        for game in (*AMONG_PLAYERS, *BETS):
            self.sit(self.alice, game)
        self.exchanged: list[str] = []
        self.dealt = self.played = False

    def sit(self, who: Program, game: str, seat: int = 1) -> None:
        answer = who.post(
            f"tables/{self.house.tables[game]}/sit/", {"seat": seat, "amount": BUY_IN}
        )
        assert answer.status == 200, answer.text

    def at(self, game: str, who: Program | None = None) -> Any:
        return (who or self.alice).at(self.house.tables[game])

    def until(self, game: str, reached: Callable[[Any], Any]) -> Any:
        """Wait until the table is as it is wanted, as alice sees it."""
        views: list[Any] = []

        def so() -> bool:
            views[:] = [self.at(game)]
            return bool(reached(views[0]))

        until(so)
        return views[0]

    def my_turn(self, game: str) -> Any:
        return self.until(game, lambda board: board["turn"] is not None)

    def act(self, game: str, action: dict[str, Any]) -> Any:
        answer = self.alice.act(self.house.tables[game], action)
        assert answer.status == 200, answer.text
        return answer.content

    def bet(self, game: str) -> Any:
        """Stake what one stakes there, and have the cards dealt."""
        board = self.my_turn(game)
        if any(choice["do"] == BETS[game]["do"] for choice in board["choices"]):
            self.act(game, BETS[game])
            return self.act(game, {"do": "done"})
        return board

    def deal(self) -> None:
        """Every table has a live hand, in which alice is to act or cards are dealt."""
        if self.dealt:
            return
        self.dealt = True
        for game in AMONG_PLAYERS:
            self.my_turn(game)
        # The others arrange quickly; alice is the last.
        self.until("chinese_poker", lambda board: board["view"]["to_act"] == [1])
        for game in ("russian_poker", "casino_holdem", "blackjack"):
            self.bet(game)
        self.my_turn("baccarat")

    def exchange(self) -> None:
        """Alice gives two of her cards back at Russian poker, which no other player sees."""
        box = self.my_turn("russian_poker")["view"]["hands"][0]
        self.exchanged = box["cards"][:2]
        self.act("russian_poker", {"do": "exchange", "box": 1, "cards": self.exchanged})

    def play(self) -> None:
        """Play all those hands to their ends, and then get up."""
        if self.played:
            return
        self.deal()
        self.exchange()
        self.played = True
        wanted = {game: HANDS.get(game, 1) for game in (*AMONG_PLAYERS, *BETS)}

        def all_played() -> bool:
            missing = [game for game, hands in wanted.items() if self.ended(game) < hands]
            for game in missing:
                self.go_on(game)
            return not missing

        until(all_played)
        for game in wanted:
            self.alice.post(f"tables/{self.house.tables[game]}/leave/")
        numbers = "SELECT count(*) FROM games_table WHERE hand_id IS NOT NULL"
        until(lambda: self.house.sql(numbers) == [(0,)])

    def go_on(self, game: str) -> None:
        """Bet where there is something to bet on; the rest the house plays for her."""
        board = self.at(game)
        if board["turn"] is None:
            return
        if any(choice["do"] == BETS.get(game, {}).get("do") for choice in board["choices"]):
            self.bet(game)
        elif not board["mine"]["trustee"]:
            self.alice.post(f"tables/{self.house.tables[game]}/trustee/")

    def ended(self, game: str) -> int:
        rows = self.house.sql(
            "SELECT count(*) FROM games_hand WHERE game = ? AND status = 'finished'"
            " AND posting IS NOT NULL",
            game,
        )
        return int(rows[0][0])
