"""What one hand with a jackpot adds to the sums of its day."""

from datetime import date
from typing import Final

import pytest

from casino.office.reports.counting import DayCount, PlayedHand
from casino.office.reports.facts import BONUS, MAIN, WHOLE, Place, Sums
from casino.office.reports.models import PoolDay, TableDay

PLACE: Final = Place(date(2026, 3, 1), 7, "profile", "blackjack", "EUR")
SEAT: Final = 3
PLAYER: Final = 41
JACKPOT, OTHER = 12, 13
ANTE, STAKE, SHARE, PRIZE = 1_000, 100, 70, 5_000


def line(key: str, source: object, target: object, amount: int, **values: object) -> object:
    return {
        "key": key,
        "source": str(source),
        "target": str(target),
        "amount": amount,
        "values": values,
    }


# A lost main bet, and a bonus that pays a prize. A second pool is only fed.
HAND: Final = PlayedHand(
    number=1,
    number_at_table=1,
    place=PLACE,
    rake=0,
    bank=ANTE + STAKE - SHARE - 5,
    settlement={
        "pools": {"progressive": 0, "mystery": 0},
        "lines": [
            line("box_lost", SEAT, "house", ANTE, bet=MAIN, box=1),
            line("box_lost", SEAT, "house", STAKE, bet=BONUS, box=1),
            line("pool_share", "house", "progressive", SHARE, share_bp=7_000),
            line("pool_share", "house", "mystery", 5, share_bp=500),
            line("pool_paid", "progressive", "house", PRIZE, seat=SEAT, box=1),
            line("jackpot", "house", SEAT, PRIZE, box=1),
        ],
    },
    jackpots={"progressive": JACKPOT, "mystery": OTHER},
    options={},
    seats={SEAT: (PLAYER, PRIZE - ANTE - STAKE, 0)},
    bets={(SEAT, MAIN): ANTE, (SEAT, BONUS): STAKE},
)


@pytest.mark.always
@pytest.mark.parametrize("sign", [1, -1])
def test_a_jackpot_is_the_pools_money_and_not_the_houses(sign: int) -> None:
    counted = DayCount()
    counted.add(HAND, sign)
    pools = SHARE + 5 - PRIZE
    whole = counted.sums[TableDay][PLACE, WHOLE]
    assert (whole.hands, whole.reversed) == ((1, 0) if sign > 0 else (0, 1))
    assert whole.handle == sign * (ANTE + STAKE)
    # What the player lost, the house has won; without the pools' money it keeps the stakes.
    assert whole.won == -sign * (PRIZE - ANTE - STAKE)
    assert whole.pools == sign * pools
    assert whole.kept == sign * (ANTE + STAKE - SHARE - 5)
    main, bonus = counted.sums[TableDay][PLACE, MAIN], counted.sums[TableDay][PLACE, BONUS]
    assert (main.handle, main.won, main.pools) == (sign * ANTE, sign * ANTE, 0)
    assert (bonus.handle, bonus.won) == (sign * STAKE, sign * (STAKE - PRIZE))
    assert bonus.pools == sign * pools
    assert {jackpot: sums for (_place, jackpot), sums in counted.sums[PoolDay].items()} == {
        JACKPOT: Sums(fed=sign * SHARE, hit=sign * PRIZE, hits=sign),
        OTHER: Sums(fed=sign * 5),
    }
