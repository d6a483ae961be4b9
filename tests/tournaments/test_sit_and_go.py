"""A sit-and-go from registering to the prizes, at one table of each game."""

import pytest

from tests.tournaments.events import Event, sit_and_go
from tournaments.models import Entry, Payout, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = {
    "chinese_poker": {"levels": [{"point": 100}]},
    "thirteen_taiwan": {"levels": [{"point": 100}]},
    "thirteen_hongkong": {"levels": [{"bet_min": 300, "bet_max": 500}]},
    "doudizhu": {"levels": [{"point": 400}]},
}
SEATS = {"chinese_poker": 2, "thirteen_hongkong": 2, "thirteen_taiwan": 4, "doudizhu": 3}


@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_to_its_prizes(event: Event, game: str) -> None:
    players = event.open(sit_and_go(game, SEATS[game], **GAMES[game]), SEATS[game])
    assert event.row.state != Tournament.State.ANNOUNCED
    while not event.is_over():
        event.check()
        event.step()
    event.check()
    row = event.row
    assert row.state == Tournament.State.FINISHED
    (payout,) = Payout.objects.filter(tournament=row)
    assert payout.amount == 1_000 * len(players)
    winner = Entry.objects.get(tournament=row, place=1)
    assert (payout.entry, winner.prize) == (winner, payout.amount)
    assert event.house.wallet(winner.player).balance == 10_000_000 - 1_100 + payout.amount
