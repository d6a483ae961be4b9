"""How quickly the audit goes through hands, beside the yardstick of this machine.

    python -m bench.audit [HANDS]      with or without a DATABASE_URL

Hands are played by bots through the services into a database that is thrown away. Measured is the
audit of hands with their shoes, and the walk along the public chain that belongs to them. Seconds
are those of the processor: an audit has a core to itself, and this machine may have other work. R
means: hands a second for every million additions a second (`bench/calibration.py`).
"""

import sys
from collections.abc import Callable
from time import process_time
from typing import Final

from bench.calibration import measure, report
from tests.houses import open_house

HANDS: Final = 300
ROUNDS: Final = 5
# Those of four players, of three, and a house's.
GAMES: Final = (
    "chinese_poker", "thirteen_hongkong", "thirteen_taiwan", "thirteen_philippine",
    "thirteen_fujian", "doudizhu", "baccarat", "baccarat_commission",
)  # fmt: skip


def main() -> None:
    hands = int(sys.argv[1]) if sys.argv[1:] else HANDS
    with open_house(database="given"):
        for game in GAMES:
            work = audited(play(game, hands))
            report(f"audit, {game}", measure(work, ROUNDS, process_time), ">= 500/s")
        walk = measure(walked(), ROUNDS, process_time)
        report("the public chain and the anchors, hands", walk)


def play(game: str, hands: int) -> list[int]:
    """So many hands of four players, or as many as the game takes."""
    from django.db import transaction

    from games.models import Hand
    from games.shoes import anchors
    from tests.games.house import MONEY, House

    house = House()
    if not Hand.objects.exists():
        house.bots(4)
    alice = house.player(f"alice {game}", 20 * MONEY)
    # All in one transaction: it is the audit that is measured.
    with transaction.atomic():
        table = house.table(game, bots_max=3, buy_in_max=MONEY)
        house.sit(alice, table, 1, MONEY)
        house.until(table, lambda table: table.hands_dealt > hands, steps=1_000 * hands)
        house.leave(alice, table)
        house.until(table, lambda table: table.hand_id is None)
        anchors.anchor(house.now)
    ended_hands = Hand.objects.filter(table=table).exclude(status=Hand.Status.LIVE)
    return list(ended_hands.order_by("pk").values_list("pk", flat=True))


def audited(numbers: list[int]) -> Callable[[], int]:
    from games.records.audit import Auditor
    from games.shoes import custody

    def work() -> int:
        # Each run proves the shoes again.
        custody.forget_opened()
        auditor = Auditor()
        for wrong in auditor.hands(numbers):
            assert not wrong.findings, wrong
        assert not list(auditor.shoes())
        return len(numbers)

    return work


def walked() -> Callable[[], int]:
    from games.models import Hand
    from games.records import audit_house

    hands = Hand.objects.count()

    def work() -> int:
        assert not list(audit_house.published())
        assert not list(audit_house.postings())
        return hands

    return work


if __name__ == "__main__":
    main()
