"""Tables and players for a crowd, made with the house's own verbs before its doors open."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

# What a small crowd plays: two games against the house, and one among players.
FEW_GAMES: Final = ("baccarat", "blackjack", "doudizhu")
BUY_IN: Final = 50_000
WELCOME: Final = 1_000_000


class Person(NamedTuple):
    """A player with a token, and the table and seat that are theirs."""

    number: int
    token: str
    table: int
    seat: int


class Guests(NamedTuple):
    """How many players come to how many tables; so many empty tables are open beside theirs."""

    players: int
    tables: int
    games: Sequence[str] = FEW_GAMES
    empty: int = 0


def seats_of(players: int, tables: int, places: list[int]) -> list[tuple[int, int]]:
    """Which table (from 0) and seat each player gets: tables are filled evenly, in turn."""
    free = [list(range(1, places[table] + 1)) for table in range(tables)]
    found: list[tuple[int, int]] = []
    while len(found) < players and any(free):
        for table in range(tables):
            if free[table] and len(found) < players:
                found.append((table, free[table].pop(0)))
    return found


def expect(guests: Guests) -> list[Person]:
    """Open the tables, make the players and give them money; they sit down by themselves.

    This process has Django, and the database of the house.
    """
    from django.db import connections
    from django.utils import timezone

    from casino.players import tokens
    from casino.players.models import Player
    from games.tables.play_money import welcome_key
    from wallets.accounts import account
    from wallets.ledger import Leg, post
    from wallets.models import Currency

    currency = Currency.objects.get(code="PLAY")
    games = [guests.games[number % len(guests.games)] for number in range(guests.tables)]
    taken = seats_of(guests.players, guests.tables, [_places(game) for game in games])
    sitting = Counter(table for table, _seat in taken)
    made = [
        _table(number, guests.games[number % len(guests.games)], sitting[number], currency)
        for number in range(guests.tables + guests.empty)
    ]
    people = []
    for number, (index, seat) in enumerate(taken):
        player = Player.objects.create(username=f"crowd {number}", is_bot=False)
        # As if the welcome had come: so many from one address would reach its limit.
        legs = [
            Leg(account("issue", "house", currency).pk, -WELCOME),
            Leg(account("player", f"player:{player.pk}", currency).pk, WELCOME),
        ]
        key = welcome_key(player, currency)
        post(key, "deposit", legs, book="cashier", actor="bench", reason="welcome")
        token, _row = tokens.issue(player, timezone.now())
        people.append(Person(player.pk, token, made[index].pk, seat))
    connections.close_all()
    return people


def _places(game: str) -> int:
    from games.rules.contract import most_seats
    from games.tables.demo import STAKES
    from games.tables.replay import game_from

    return most_seats(game_from(game, STAKES[game].options if game in STAKES else {}))


def _table(number: int, game: str, people: int, currency: Any) -> Any:
    """A table of a game at the stakes of the demonstration, quicker than there."""
    from games.models import Table
    from games.tables.demo import STAKES
    from games.tables.replay import game_from

    options = STAKES[game].options if game in STAKES else {}
    return Table.objects.create(
        name=f"Crowd {number + 1}",
        game=game,
        options=options,
        currency=currency,
        places=_places(game),
        buy_in_min=1_000,
        buy_in_max=500_000,
        stack_min=100,
        decision_seconds=15,
        betting_seconds=8,
        pause_seconds=2,
        # Bots of the house complete the seats where the crowd is too small for a game.
        bots_max=max(0, game_from(game, options).seats[0] - people) if people else 0,
    )
