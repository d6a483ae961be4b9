"""How long a player's history takes who has played 100,000 hands: pages, filters, charts.

    python -m bench.history

The hands are stored as rows alone: what the lists and charts read. Each request goes through the
whole of Django, is rendered, and is timed; rates are also given by the calibration loop (R). On a
machine that does other things besides, what a request costs of a processor says more than how long
it took.
"""

from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from bench.calibration import additions_per_second
from bench.pages import only_backend, timed
from tests.houses import open_house

if TYPE_CHECKING:
    from casino.players.models import Player

HANDS: Final = 100_000
TABLES: Final = 24
REQUESTS: Final = 30
YEARS: Final = 2
TARGET_MS: Final = 100
NOW: Final = datetime.now(UTC)


def fill() -> "Player":
    """A player, three others, tables of every game; answers with the player."""
    from django.contrib.auth import get_user_model

    from games.models import Seat, Shoe, Table
    from games.rules.catalogue import GAMES
    from wallets.accounts import account
    from wallets.models import Currency

    people = [get_user_model().objects.create_user(f"bench-{n}", password="x") for n in range(4)]
    currencies = [
        Currency.objects.get_or_create(code=code, defaults={"name": code})[0]
        for code in ("PLAY", "EUR")
    ]
    for number in range(TABLES):
        table = Table.objects.create(
            name=f"Bench {number}",
            game=list(GAMES)[number % len(GAMES)],
            currency=currencies[number % 4 == 3],
            places=4,
            buy_in_min=1_000,
            buy_in_max=100_000,
            stack_min=100,
        )
        Shoe.objects.create(
            code=f"T{table.pk}-1", table=table, decks=1, jokers=False, secret="-", sealed_at=NOW
        )
        for place, person in enumerate(people, 1):
            Seat.objects.create(
                table=table,
                number=place,
                player=person,
                stack=account("stack", f"bench:{table.pk}:{place}", table.currency),
                seen_at=NOW,
                sat_down_at=NOW,
            )
    return people[0]


HANDS_SQL: Final = """
INSERT INTO games_hand (table_id, number, game, rules_version, options, stakes, context, shoe_id,
    first_card, cards_dealt, round_number, status, started_at, ended_at, draws, rake, bank,
    jackpots)
SELECT t.id, n, t.game, 1, '{}', '[]', '{}', 'T' || t.id || '-1', 0, 0, 1,
    CASE WHEN random() < 0.005 THEN 'void' ELSE 'finished' END, at, at, '[]', 0, 0, '{}'
FROM (
    SELECT n, %(now)s - (%(hands)s - n) * %(step)s AS at,
        %(first)s + floor(random() * %(tables)s)::int AS place
    FROM generate_series(1, %(hands)s) AS n
) AS drawn JOIN games_table AS t ON t.id = drawn.place ORDER BY n
"""
# A sum of twelve even numbers is close enough to a bell.
SEATS_SQL: Final = """
INSERT INTO games_handseat (hand_id, number, seat_id, player_id, starting_stack, net, rake, game,
    table_id, currency_id, status, ended_at)
SELECT h.id, s.number, s.id, s.player_id, 50000,
    CASE WHEN h.status = 'void' THEN 0 WHEN s.number = 1 THEN h.won ELSE -h.won / 3 END, 0,
    h.game, h.table_id, t.currency_id, h.status, h.ended_at
FROM (
    SELECT *, (SELECT (sum(random()) - 6) * 3000 FROM generate_series(1, 12)
        WHERE games_hand.id > 0)::int AS won
    FROM games_hand
) AS h JOIN games_table AS t ON t.id = h.table_id JOIN games_seat AS s ON s.table_id = t.id
ORDER BY h.id, s.number
"""


def deal(hands: int = HANDS) -> None:
    """The rows of all hands, made by the database itself."""
    from django.db import connection

    from games.models import Table

    values: dict[str, Any] = {
        "hands": hands,
        "step": timedelta(days=365 * YEARS) / hands,
        "now": NOW,
        "first": Table.objects.order_by("pk").values_list("pk", flat=True)[0],
        "tables": TABLES,
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT setseed(0.7)")
        cursor.execute(HANDS_SQL, values)
        cursor.execute(SEATS_SQL)
        cursor.execute("VACUUM ANALYZE")


def requests() -> dict[str, str]:
    """What is asked for, by what it is called."""
    from games.models import Hand, Table

    middle = Hand.objects.order_by("pk")[HANDS // 2]
    table = Table.objects.order_by("pk")[3]
    day = middle.ended_at
    assert day is not None
    return {
        "first page": "/history/",
        "a page in the middle": f"/history/?before={middle.pk}",
        "the newer page there": f"/history/?after={middle.pk}",
        "last page": f"/history/?before={Hand.objects.order_by('pk')[40].pk}",
        "one game": "/history/?game=doudizhu",
        "one table": f"/history/?table={table.pk}",
        "one currency": "/history/?currency=EUR",
        "one month": f"/history/?first_day={day:%Y-%m}-01&last_day={day:%Y-%m}-28",
        "won": "/history/?result=won",
        "lost": "/history/?result=lost",
        "void": "/history/?result=void",
        "a large win (rare)": "/history/?result=won&least=100",
        "one hand by its code": f"/history/?code={middle.code}",
        "a game, a month, lost": f"/history/?game=doudizhu&result=lost&first_day={day:%Y-%m}-01",
        "nothing found": "/history/?least=9999999",
        "profit, 30 days": "/history/profit/?currency=PLAY&span=30",
        "profit, a year": "/history/profit/?currency=PLAY&span=365",
        "profit, all": "/history/profit/?currency=PLAY&span=all",
    }


def main() -> None:
    with open_house(database="durable"):
        measure()


def measure() -> None:
    """One line a request: p50 and p95, what it costs of a processor, and the rate's ratio."""
    from django.db import connection
    from django.test import Client

    from games.records.closed_days import close_days

    start = perf_counter()
    player = fill()
    deal()
    # As the house does every hour.
    close_days(NOW)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    print(f"{HANDS:,} hands of one player, four at the table: {perf_counter() - start:.0f} s")
    client, backend = Client(), only_backend()
    client.force_login(player)
    slow: list[str] = []
    for name, address in requests().items():

        def ask(_number: int, address: str = address) -> None:
            assert client.get(address).status_code == 200, address

        before = additions_per_second()
        page = timed(ask, REQUESTS, backend)
        yardstick = (before + additions_per_second()) / 2
        rate = 1_000 / page.p50
        print(f"{name:<26}{page} {rate:>6.0f}/s {rate / yardstick * 1e6:>6.2f} R", flush=True)
        if page.p95 > TARGET_MS:
            slow.append(name)
    verdict = f"{', '.join(slow)} above" if slow else "all within"
    print(f"target: p95 ≤ {TARGET_MS} ms; {verdict}")


if __name__ == "__main__":
    main()
