"""Tables and players for a crowd, made with the house's own verbs before its doors open."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

# What a small crowd plays: two games against the house, and one among players.
FEW_GAMES: Final = ("baccarat", "blackjack", "doudizhu")
BUY_IN_MIN: Final = 1_000
BUY_IN: Final = 50_000
WELCOME: Final = 1_000_000
# Where the number of viewers is what counts: one game among players, one against the house, and
# as many tables as make about so many viewers together.
WATCHED_GAMES: Final = ("doudizhu", "blackjack")
WATCHED_VIEWERS: Final = 18
WATCHED_TABLES_MAX: Final = 6
# A phase of programs alone, three at each of these tables, of the game that the peer plays too.
PROGRAMS: Final = "programs"
PROGRAMS_GAME: Final = "doudizhu"
PROGRAMS_TABLES: Final = 6


class Person(NamedTuple):
    """A player with a token, and the table and seat that are theirs; a spectator has seat 0.

    A person with a session uses pages. `phase` names the measurement for which their table is kept.
    """

    number: int
    token: str
    table: int
    seat: int
    session: str = ""
    phase: str = ""


class Guests(NamedTuple):
    """How many players come to how many tables, and what else is open beside their tables.

    `empty` tables have no players, `spectators` have no seats, and this share of the people uses
    `pages`. For each number in `watched` there are tables with exactly so many viewers, and with
    `programs` some of one game where only programs play.
    """

    players: int
    tables: int
    games: Sequence[str] = FEW_GAMES
    empty: int = 0
    spectators: int = 0
    pages: float = 0.0
    watched: Sequence[int] = ()
    programs: bool = False


class Place(NamedTuple):
    """Where one person goes: the index of a table, a seat or 0, and `Person.phase`."""

    table: int
    seat: int
    phase: str = ""


def seats_of(players: int, tables: int, places: list[int]) -> list[tuple[int, int]]:
    """Which table (from 0) and seat each player gets: tables are filled evenly, in turn."""
    free = [list(range(1, places[table] + 1)) for table in range(tables)]
    seats: list[tuple[int, int]] = []
    while len(seats) < players and any(free):
        for table in range(tables):
            if free[table] and len(seats) < players:
                seats.append((table, free[table].pop(0)))
    return seats


def places_of(guests: Guests, places: Sequence[int]) -> list[Place]:
    """A place for each player and spectator at the tables that are not `watched`."""
    taken = seats_of(guests.players, guests.tables, list(places))
    beside = [Place(number % guests.tables, 0) for number in range(guests.spectators)]
    return [*(Place(*seat) for seat in taken), *beside]


def phase_of(viewers: int) -> str:
    return f"{viewers} viewers"


def kept_places(phase: str, viewers: int, first: int, places: Sequence[int]) -> list[Place]:
    """So many people at each table from `first` on; those without a seat are spectators."""
    return [
        Place(first + index, number if number <= seats else 0, phase)
        for index, seats in enumerate(places)
        for number in range(1, viewers + 1)
    ]


def watched_games(viewers: int) -> list[str]:
    """A game for each table with so many viewers; a lone one plays against the house."""
    tables = max(1, min(WATCHED_TABLES_MAX, WATCHED_VIEWERS // viewers))
    games = WATCHED_GAMES[-1:] if viewers == 1 else WATCHED_GAMES
    return [games[number % len(games)] for number in range(tables)]


def expect(guests: Guests) -> list[Person]:
    """Open the tables, make the players and give them money; they sit down by themselves.

    This process has Django, and the database of the house.
    """
    from django.db import connections

    from wallets.models import Currency
    from wallets.of_record.verbs import under

    games = [guests.games[number % len(guests.games)] for number in range(guests.tables)]
    taken = places_of(guests, [_places(game) for game in games])
    kept = [(phase_of(viewers), viewers, watched_games(viewers)) for viewers in guests.watched]
    if guests.programs:
        kept.append((PROGRAMS, 3, [PROGRAMS_GAME] * PROGRAMS_TABLES))
    for phase, viewers, more in kept:
        taken += kept_places(phase, viewers, len(games), [_places(game) for game in more])
        games += more
    sitting = Counter(place.table for place in taken if place.seat)
    games += [guests.games[number % len(guests.games)] for number in range(guests.empty)]
    currency = Currency.objects.get(code="PLAY")
    # To the audit, rows of record without a verb are changed past the house.
    with under("setup:demo"):
        made = [
            _table(number, game, sitting[number], currency).pk for number, game in enumerate(games)
        ]
        people = [
            _person(number, place, made[place.table], currency, guests.pages)
            for number, place in enumerate(taken)
        ]
    connections.close_all()
    return people


def _person(number: int, place: Place, table: int, currency: Any, pages: float) -> Person:
    """A player with money; a share of `pages` of them, evenly spread, is signed in in a browser."""
    from django.conf import settings
    from django.test import Client
    from django.utils import timezone

    from casino.accounts import appointing, tokens
    from games.tables import play_money
    from wallets.models.holders import player_reference
    from wallets.money import cashier

    player = appointing.create(f"crowd-{number}")
    # Their welcome, in excess: so many from one address would reach the limit of the house's own.
    cashier.grant(
        player_reference(player.pk),
        currency,
        WELCOME,
        key=play_money.welcome_key(player, currency),
        actor=cashier.HOUSE,
        reason=play_money.WELCOME,
    )
    token, _row = tokens.issue(player, timezone.now())
    session = ""
    if place.phase != PROGRAMS and int((number + 1) * pages) > int(number * pages):
        browser = Client()
        browser.force_login(player)
        session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    return Person(player.pk, token, table, place.seat, session, place.phase)


def _places(game: str) -> int:
    from games.rules.catalogue import GAMES
    from games.rules.contract import most_seats
    from games.tables.hand_state import game_from

    return most_seats(game_from(game, GAMES[game].stakes.options))


def _table(number: int, game: str, people: int, currency: Any) -> Any:
    """A table of a game at the stakes of the demonstration, quicker than there."""
    from casino.ops.founding import made
    from casino.ops.founding_plan import NewTable
    from games.rules.catalogue import GAMES
    from games.tables.hand_state import game_from

    options = GAMES[game].stakes.options
    return made(
        NewTable(
            name=f"Crowd {number + 1}",
            game=game,
            currency=currency.code,
            options=options,
            buy_in_min=BUY_IN_MIN,
            buy_in_max=500_000,
            seats=_places(game),
            # Bots of the house complete the seats where the crowd is too small for a game.
            bots=max(0, game_from(game, options).seats[0] - people) if people else 0,
            seconds={"decision_seconds": 15, "betting_seconds": 8, "pause_seconds": 2},
        )
    )
