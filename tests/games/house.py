"""A small house for tests: named players with money, tables, and a clock that tests set."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from msgspec import to_builtins

from casino.accounts.models import Player
from games.bots.simulate import strategies
from games.models import Hand, Seat, Table
from games.rules.catalogue import game_type
from games.tables import clock, hand_verbs, seating
from games.tables.hand_state import game_of, state_of
from games.tables.lock import seats_at
from games.tables.open_rounds import call_off_round
from games.tables.play_money import WELCOME, welcome_key
from games.tables.presence import seen
from wallets.models import Account, Currency
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
MONEY = 10_000_000


class Source(NamedTuple):
    """Where the money of players comes from: an account, a kind of posting, and who made it."""

    account: str
    kind: str
    actor: str


GIVEN: Final = Source("promotion", "grant", "house")
# Money that the house did not give; the desk has no document about it.
PAID_IN: Final = Source("issue", "deposit", "test")


class House:
    """A house whose clock stands still until a test moves it."""

    source = GIVEN

    def __init__(self) -> None:
        self.now = START
        # Players who are offline; all others look at their tables all the time.
        self.away: set[str] = set()
        # Who looks at the table and leaves every turn to the clock.
        self.idle: set[str] = set()
        self.currency, _ = Currency.objects.get_or_create(
            code="PLAY", defaults={"name": "play money", "kind": Currency.Kind.PLAY}
        )

    def player(self, name: str, money: int = MONEY) -> Player:
        """A player with money who has had the welcome bonus, or a newcomer with neither."""
        player = Player.objects.create_user(name, password="a password for tests")
        if money:
            self.give(player, money, welcome_key(player, self.currency))
        return player

    def bots(self, count: int) -> None:
        for number in range(1, count + 1):
            Player.objects.create_user(f"bot {number}", is_bot=True)

    def give(self, player: Player, money: int, key: UUID | None = None) -> None:
        source, kind, actor = self.source
        legs = [
            Leg(account(source, "house", self.currency).pk, -money),
            Leg(self.wallet(player).pk, money),
        ]
        post(key or uuid4(), kind, legs, book="cashier", actor=actor, reason=WELCOME)

    def wallet(self, player: Player) -> Account:
        return account("player", f"player:{player.pk}", self.currency)

    def table(self, game: str, **given: Any) -> Table:
        places = game_type(game).seats[-1]
        fields = {
            "name": f"{game} {Table.objects.count() + 1}",
            "game": game,
            "currency": self.currency,
            "places": places,
            "buy_in_min": 10_000,
            "buy_in_max": 100_000,
            "stack_min": 1_000,
        }
        return Table.objects.create(**(fields | given))

    def sit(self, player: Player, table: Table, number: int, amount: int = 50_000) -> Seat:
        return seating.sit(player, table.pk, number, amount, self.now)

    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def until_due(self, table: Table) -> None:
        """Let the time pass until the house has something to do at the table, and do it."""
        table.refresh_from_db()
        self._do_what_is_due(table)
        table.refresh_from_db()

    def _do_what_is_due(self, table: Table) -> None:
        assert table.due_at is not None, "nothing will ever happen here"
        self.now = max(self.now, table.due_at)
        self.be_seen(table)
        clock.tick(table.pk, self.now)

    def until(self, table: Table, reached: Callable[[Table], bool], steps: int = 2_000) -> None:
        """Let people play as bots would, and the clock go on, until a condition holds."""
        table.refresh_from_db()
        for _ in range(steps):
            if reached(table):
                return
            if not self.let_people_act(table):
                self._do_what_is_due(table)
            table.refresh_from_db()
        raise AssertionError(f"the condition never held: {table.phase}, {table.turns}")

    def let_people_act(self, table: Table) -> bool:
        """Let one person act as a bot would; return False if no player may act."""
        if table.hand_id is None or not table.turns:
            return False
        for seat in seats_at(table):
            turn = table.turns.get(str(seat.number))
            still = self.away | self.idle
            passive = seat.player.is_bot or seat.auto_play or seat.player.username in still
            if turn is None or passive:
                continue
            hand, state = self.state(table)
            game = game_of(hand)
            action = strategies(game)["best"](game, game.view(state, seat.number))
            seen([(table.pk, seat.player_id)], self.now)
            hand_verbs.act(seat.player, table.pk, hand.pk, turn, to_builtins(action), self.now)
            return True
        return False

    def best_action(self, table: Table, name: str) -> Any:
        """The move that a bot would make in a person's place, as JSON."""
        table.refresh_from_db()
        hand, state = self.state(table)
        game = game_of(hand)
        view = game.view(state, self.seat(table, name).number)
        return to_builtins(strategies(game)["best"](game, view))

    def state(self, table: Table) -> tuple[Hand, Any]:
        assert table.hand_id is not None
        hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
        return hand, state_of(hand, game_of(hand), hand.moves.order_by("number"))

    def dealt_in(self, game: str, *names: str, **fields: Any) -> Table:
        """A table where these people have just been dealt a hand, seats from 1 on."""
        table = self.table(game, **fields)
        for number, name in enumerate(names, 1):
            self.sit(self.player(name), table, number)
        self.until(table, lambda table: table.phase == Table.Phase.PLAY)
        return table

    def among_bots(self, game: str, who: str, bots: int = 2, **fields: Any) -> Table:
        """A table where this person sits in seat 1 and the house adds so many bots."""
        self.bots(bots)
        table = self.table(game, bots_max=bots, **fields)
        self.sit(self.player(who), table, 1)
        return table

    def person(self, name: str) -> Player:
        return Player.objects.get(username=name)

    def seat(self, table: Table, name: str) -> Seat:
        return Seat.objects.select_related("stack").get(
            table=table, player__username=name, left_at__isnull=True
        )

    def stack(self, table: Table, name: str) -> int:
        return self.seat(table, name).stack.balance

    def turn(self, table: Table, number: int) -> int:
        table.refresh_from_db()
        turn: int = table.turns[str(number)]
        return turn

    def act(
        self, table: Table, name: str, action: dict[str, Any], turn: int | None = None
    ) -> Table:
        """Send a player's action for the turn that their page shows."""
        table.refresh_from_db()
        seat = self.seat(table, name)
        answered = self.turn(table, seat.number) if turn is None else turn
        hand = table.hand_id or Hand.objects.filter(table=table).latest("pk").pk
        seen([(table.pk, seat.player_id)], self.now)
        return hand_verbs.act(seat.player, table.pk, hand, answered, action, self.now)

    def leave(self, player: Player, table: Table) -> Seat:
        return seating.leave(player, table.pk, self.now)

    def change(self, table: Table, name: str, **switches: bool) -> Seat:
        return seating.change(self.person(name), table.pk, self.now, **switches)

    def nobody_bets(self, table: Table) -> None:
        """The round against the house ends without a bet, as where all players are away."""
        assert call_off_round(table.pk, self.now)
        table.refresh_from_db()

    def void(self, table: Table, reason: str) -> Hand:
        table.refresh_from_db()
        assert table.hand_id is not None
        return hand_verbs.void(table.hand_id, reason, "operator:1", self.now)

    def be_seen(self, table: Table) -> None:
        """All who are not away look at the table."""
        people = Player.objects.filter(is_bot=False).exclude(username__in=self.away)
        seen([(table.pk, number) for number in people.values_list("pk", flat=True)], self.now)

    def total(self) -> int:
        """All money there is: what was issued is owed, so it is nothing."""
        return sum(Account.objects.values_list("balance", flat=True))
