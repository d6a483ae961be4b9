"""What people, and the staff, want to do next: drawn from the seed, and sendable once more."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import UUID

from msgspec import to_builtins

from casino.care import limits
from casino.care.models import PlayerLimit
from casino.office.floor import closing
from games.bots.simulate import strategies
from games.models import Hand, Seat, Table
from games.records import reversals
from games.tables import hand_verbs, seating
from games.tables.hand_state import game_of
from tests.simulation.office import WHY

if TYPE_CHECKING:
    from tests.simulation.world import World

# How people play; at some games with a bonus bet, which fills the pools.
WAYS: Final = ("best", "best", "best", "bonus", "bonus", "house")


class Acted(NamedTuple):
    """A move as its player sent it: what the house must never lose once it has said yes."""

    hand: int
    seat: int
    turn: int
    action: str


class Intent(NamedTuple):
    """One request, and what it leaves behind; sent twice it is done once."""

    words: str
    send: Callable[[], Any]
    table: int = 0
    move: Acted | None = None
    # The player and the key of a top-up.
    key: tuple[int, str] | None = None


def act(world: "World", chance: Random) -> Intent | None:
    """A move of a player whose turn it is, as a bot would make it or as the house would."""
    playing = Table.objects.filter(phase=Table.Phase.PLAY, organiser="").order_by("pk")
    choices = [
        (table, seat)
        for table in playing
        for seat in world.seats(table)
        if str(seat.number) in table.turns and seat.player.username not in world.offline
    ]
    if not choices:
        return None
    table, seat = chance.choice(choices)
    hand, state = world.house.state(table)
    game = game_of(hand)
    known = strategies(game)
    view = game.view(state, seat.number)
    ways = [way for way in WAYS if way in known]
    made = known[chance.choice(ways)](game, view)
    return move(table, seat, hand.pk, table.turns[str(seat.number)], to_builtins(made), world)


def move(table: Table, seat: Seat, hand: int, turn: int, action: Any, world: "World") -> Intent:
    return Intent(
        f"{seat.player.username} at {table.name}: {action} for turn {turn}",
        lambda: hand_verbs.act(seat.player, table.pk, hand, turn, action, world.now),
        table.pk,
        Acted(hand, seat.number, turn, repr(action)),
    )


def late(world: "World", chance: Random) -> Intent | None:
    """A move for a turn that is over."""
    last = world.sent_moves[-40:]
    # Of hands that still run first: in those it might count once more.
    live = set(Hand.objects.filter(status=Hand.Status.LIVE).values_list("pk", flat=True))
    running = [sent for sent in last if sent.move and sent.move.hand in live]
    return chance.choice(running or last) if last else None


def sit(world: "World", chance: Random) -> Intent | None:
    table = chance.choice(world.tables())
    taken = {seat.number for seat in world.seats(table, bots=False)}
    free = [number for number in range(1, table.places + 1) if number not in taken]
    if not free:
        return None
    player, number = chance.choice(world.people), chance.choice(free)
    amount = chance.randrange(20_000, 60_000)
    return Intent(
        f"{player.username} sits down at {table.name}, seat {number}, with {amount}",
        lambda: seating.sit(player, table.pk, number, amount, world.now),
        table.pk,
    )


def top_up(world: "World", chance: Random) -> Intent | None:
    if world.top_ups and chance.random() < 0.4:
        # A form that a browser sends again, perhaps a hand later.
        return chance.choice(world.top_ups[-20:])
    seat = world.any_seat(chance)
    if seat is None:
        return None
    key = str(UUID(int=chance.getrandbits(128), version=4))
    amount = chance.randrange(1, 2_000)
    return Intent(
        f"{seat.player.username} tops up at {seat.table.name} by {amount}, {key[:8]}",
        lambda: seating.top_up(seat.player, seat.table_id, amount, key, world.now),
        seat.table_id,
        key=(seat.player_id, key),
    )


def leave(world: "World", chance: Random) -> Intent | None:
    seat = world.any_seat(chance)
    if seat is None:
        return None
    return Intent(
        f"{seat.player.username} leaves {seat.table.name}",
        lambda: seating.leave(seat.player, seat.table_id, world.now),
        seat.table_id,
    )


def switch(world: "World", chance: Random) -> Intent | None:
    seat = world.any_seat(chance)
    if seat is None:
        return None
    name, value = chance.choice(
        [("sits_out", True), ("sits_out", False), ("sits_out", False), ("auto_play", True)]
    )
    return Intent(
        f"{seat.player.username} at {seat.table.name}: {name}={value}",
        lambda: seating.change(seat.player, seat.table_id, world.now, **{name: value}),
        seat.table_id,
    )


def limit(world: "World", chance: Random) -> Intent | None:
    player, kind = chance.choice(world.people), chance.choice(["loss", "stake", "session"])
    value = chance.randrange(200, 600) if kind == "session" else chance.randrange(10**5, 10**7)
    currency = None if kind == "session" else world.house.currency
    wanted = limits.Wanted(kind, PlayerLimit.Period.DAY, currency, value)
    return Intent(
        f"{player.username} sets a limit: {kind} {value} a day",
        lambda: limits.ask(player, wanted, world.now),
    )


def close_table(world: "World", chance: Random) -> Intent | None:
    table = chance.choice(world.tables())
    return Intent(
        f"the floor closes {table.name}",
        lambda: closing.close_table(world.office.manager, table.pk, WHY, world.now),
        table.pk,
    )


def open_table(world: "World", _chance: Random) -> Intent | None:
    shut = next((table for table in world.tables() if table.status != Table.Status.OPEN), None)
    if shut is None:
        return None
    return Intent(
        f"the floor opens {shut.name}",
        lambda: closing.open_table(world.office.manager, shut.pk, WHY, world.now),
        shut.pk,
    )


def void(world: "World", chance: Random) -> Intent | None:
    """Void a hand that runs, with its shoe; or reverse one that was paid."""
    hands = list(Hand.objects.filter(table__organiser="").order_by("-pk")[:12])
    if not hands:
        return None
    hand = chance.choice(hands)
    return Intent(
        f"a manager takes back hand {hand.number} of {hand.table.name}",
        lambda: reversals.void(world.office.manager, hand.pk, WHY, world.now, house_pays=True),
        hand.table_id,
    )
