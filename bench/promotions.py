"""How quickly promotions take hands, price a draft and are audited, with ten of them at once.

    python -m bench.promotions [HANDS]      with or without a DATABASE_URL

A month of made-up hands at two games, one among players and one against the house, is written into
a database that is thrown away. A worker takes them in, the audit replays them and must find
nothing, and each promotion is priced over the same month: what it would have cost is shown beside
what it has paid. Seconds are those of the processor.
"""

import sys
from collections.abc import Callable
from datetime import timedelta
from random import Random
from time import process_time
from typing import Any, Final

from tests.houses import open_house

HANDS: Final = 100_000
DAYS: Final = 28
TABLES: Final = 20
BET: Final = 500
RAKE_BP: Final = 500


def main() -> None:
    hands = int(sys.argv[1]) if sys.argv[1:] else HANDS
    with open_house(database="given", settings="tests.settings"):
        measured(hands)


def measured(hands: int) -> None:
    from django.db.models import Sum

    from casino.community.promotions.books import preview
    from casino.community.promotions.models import PromotionAward
    from tests.casino.promotion_scene import Scene
    from tests.games.house import House
    from wallets.values.days import day_of

    house = House()
    began = house.now
    scene = Scene(house)
    versions = [scene.publish(kind, **terms(house)) for kind in kinds()]
    play(house, hands)
    print(f"{hands} hands in {DAYS} days, {len(versions)} promotions", flush=True)
    house.pass_time(8 * 86_400)
    told("taken in", hands, lambda: take(scene, hands))
    findings: list[str] = []
    told("audited", hands, lambda: findings.extend(scene.findings()))
    print(f"  {PromotionAward.objects.count()} awards, {len(findings)} findings {findings[:3]}")
    for version in versions:
        before = process_time()
        cost = preview.cost(version, day_of(began), DAYS + 1)["cost"]
        took = 1e6 * (process_time() - before) / hands
        paid = version.awards.exclude(state="expired").aggregate(sum=Sum("amount"))["sum"] or 0
        said = f"{version.promotion.name}: would cost {cost}, has paid {paid}"
        print(f"  {said}; {took:.0f} s a million", flush=True)
    if findings:
        sys.exit(1)


def take(scene: Any, hands: int) -> None:
    """A run of the worker takes at most so many portions."""
    for _ in range(hands // 20_000 + 1):
        scene.take()


def told(what: str, hands: int, work: Callable[[], object]) -> None:
    began = process_time()
    work()
    print(f"  {what}: {1e6 * (process_time() - began) / hands:.0f} s a million hands", flush=True)


def terms(house: Any) -> dict[str, Any]:
    return {
        "starts": house.now - timedelta(seconds=1),
        "ends": house.now + timedelta(days=DAYS + 7),
        "budget": 10**12,
    }


def kinds() -> list[Any]:
    from casino.community.promotions.rules.bonuses import Bonus
    from casino.community.promotions.rules.ladders import HighHand, Race
    from casino.community.promotions.rules.shares import (
        CashBack,
        Friend,
        HappyHour,
        Mission,
        RakeBack,
    )

    return [
        Race(),
        Race(by="rake", window="day"),
        HighHand(),
        Mission(),
        Mission(what="feat", feat="bomb", goal=1),
        CashBack(),
        RakeBack(),
        HappyHour(rake_back_bp=1_000),
        Bonus(given_for="first_hand", times=1, days=28),
        Friend(),
    ]


def play(house: Any, hands: int) -> None:
    """Rows as services leave them: half of the hands at each of the two games."""
    from django.db import connection

    from games.models import Hand, Move
    from tests.casino.finished_hands import FinishedHands

    random, began = Random("promotions"), house.now
    names = [f"p{number}" for number in range(3 * TABLES)]
    at_tables = [
        FinishedHands(house, game, *names[3 * number : 3 * number + 3])
        for number in range(TABLES)
        for game in ("doudizhu", "baccarat")
    ]
    each = hands // len(at_tables) // DAYS
    for day in range(DAYS):
        for table in at_tables:
            house.now = began + timedelta(days=day, seconds=random.randrange(60_000))
            played = table.play(
                [{random.randint(1, 3): random.choice((1, 2, 4))} for _ in range(each)]
            )
            if table.game == "doudizhu":
                with_bomb = random.sample(played, len(played) // 20)
                for hand in with_bomb:
                    values = {"seat": 1, "rank": random.choice("3579JKA")}
                    line = {"key": "bomb", "source": 1, "target": 1, "values": values}
                    hand.settlement = {**(hand.settlement or {}), "lines": [line]}
                Hand.objects.bulk_update(with_bomb, ["settlement"], 500)
            else:
                Move.objects.bulk_create(
                    Move(
                        hand=hand, number=seat, seat=seat, turn=seat, by="player",
                        at=hand.ended_at or began,
                        action={"do": "bet", "on": random.choice(("player", "banker")),
                                "amount": BET},
                    )
                    for hand in played
                    for seat in (1, 2, 3)
                )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("UPDATE games_handseat SET rake = net * %s / 10000 WHERE net > 0", [RAKE_BP])
        cursor.execute("UPDATE games_handseat SET net = net - rake WHERE rake > 0")
    house.now = began + timedelta(days=DAYS)


if __name__ == "__main__":
    main()
