"""Finished hands without a deal: rows as detectors read them, so that a test can have hundreds."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from casino.accounts.models import Player
from games.models import Hand, HandSeat, Seat, Shoe, Table
from tests.games.house import House
from wallets.money.accounts import account

POINT: Final = 10


class FinishedHands:
    """A table at which these people have sat for a while; what they win is written down."""

    def __init__(self, house: House, game: str, *names: str, **fields: Any) -> None:
        self.house, self.game = house, game
        self.table: Table = house.table(game, **fields)
        self.players = [
            Player.objects.filter(username=name).first() or house.player(name) for name in names
        ]
        self.seats = [
            Seat.objects.create(
                table=self.table,
                number=number,
                player=player,
                stack=account("stack", f"seat:{self.table.pk}-{number}", house.currency),
                seen_at=house.now,
                sat_down_at=house.now,
            )
            for number, player in enumerate(self.players, 1)
        ]
        self.shoe = Shoe.objects.create(
            code=f"test-{self.table.pk}", table=self.table, decks=1, jokers=False, secret="",
            seal="", key="", x_0="", sealed_at=house.now, status=Shoe.Status.SPENT,
        )  # fmt: skip

    def play(self, results: Sequence[Mapping[int, float]]) -> list[Hand]:
        """A hand a second for each: by seat, how many points went to it from the seat after it."""
        before, now = self.table.hands.count(), self.house.now
        hands = [
            Hand(
                table=self.table, number=before + number, game=self.game, rules_version=1,
                options={"point": POINT}, stakes=[], shoe=self.shoe, first_card=0,
                round_number=number, status=Hand.Status.FINISHED,
                started_at=now + timedelta(seconds=number - 1),
                ended_at=now + timedelta(seconds=number),
                settlement={"transfers": self._transfers(flows), "lines": [], "net": {}},
            )
            for number, flows in enumerate(results, 1)
        ]  # fmt: skip
        stored = Hand.objects.bulk_create(hands)
        HandSeat.objects.bulk_create(
            self._seat(hand, seat, flows)
            for hand, flows in zip(stored, results, strict=True)
            for seat in self.seats
        )
        self.house.pass_time(len(results) + 120)
        return stored

    def _next(self, number: int) -> int:
        return number % len(self.seats) + 1

    def _transfers(self, flows: Mapping[int, float]) -> list[tuple[str, str, int, str]]:
        """As `settlement_payload` stores them."""
        transfers = []
        for target, points in flows.items():
            ends = (self._next(target), target)[:: 1 if points > 0 else -1]
            amount = abs(round(points * POINT))
            transfers.append((str(ends[0]), str(ends[1]), amount, "x"))
        return transfers

    def _seat(self, hand: Hand, seat: Seat, flows: Mapping[int, float]) -> HandSeat:
        points = flows.get(seat.number, 0)
        points -= sum(won for to, won in flows.items() if self._next(to) == seat.number)
        assert isinstance(hand.ended_at, datetime)
        return HandSeat(
            hand=hand, number=seat.number, seat=seat, player=seat.player, starting_stack=10_000,
            net=round(points * POINT), game=self.game, table=self.table,
            currency=self.house.currency, status=hand.status, ended_at=hand.ended_at,
        )  # fmt: skip
