"""The pace between two hands: what tables declare, and what a player alone has to wait for."""

from typing import Any, Final

import pytest

from casino.community.evenings import hosting
from games.models import Hand, Table
from games.rules.catalogue import GAMES, game_type
from games.tables import ready_players
from tests.games.commit_reveal import Device
from tests.games.house import House
from tournaments.running import demo

# Between two hands, so long at most; when all are ready the next one begins at once. Cards that
# players have played against one another stay longer.
PAUSE_SECONDS_MAX: Final = 3
AMONG_PLAYERS_MAX: Final = 8
BETS: Final[dict[str, dict[str, Any]]] = {
    "blackjack": {"do": "bet", "box": 1, "amount": 500},
    "russian_poker": {"do": "ante", "box": 1, "amount": 500},
    "casino_holdem": {"do": "ante", "box": 1, "amount": 500},
    "baccarat": {"do": "bet", "on": "player", "amount": 500},
    "baccarat_commission": {"do": "bet", "on": "player", "amount": 500},
}
ROUNDS: Final = 5


def test_no_table_of_the_house_makes_anybody_wait_longer_for_the_next_hand() -> None:
    pauses = {key: game.stakes.pause_seconds for key, game in GAMES.items()}
    pauses |= {f"sit-and-go {key}": demo.structure_of(key).pause_seconds for key in demo.EVENTS}
    pauses |= {"evening": hosting.PAUSE_SECONDS}
    most = {
        key: PAUSE_SECONDS_MAX if game_type(key).against_house else AMONG_PLAYERS_MAX
        for key in GAMES
    }
    longer = {
        name: wait for name, wait in pauses.items() if wait > most.get(name, PAUSE_SECONDS_MAX)
    }
    assert longer == {}


def test_every_house_game_has_a_bet_here() -> None:
    assert {key for key in GAMES if game_type(key).against_house} == set(BETS)


@pytest.mark.django_db
@pytest.mark.parametrize("game", sorted(BETS))
def test_round_follows_round_as_quickly_as_a_player_alone_plays(house: House, game: str) -> None:
    """The house's clock stands still for five rounds: nothing waits for a time."""
    table = house.dealt_in(game, "alice")
    alice, device = house.person("alice"), Device(house, table, "alice")
    house.act(table, "alice", BETS[game])
    house.act(table, "alice", {"do": "done"})
    began = house.now
    for played in range(1, ROUNDS + 1):
        table.refresh_from_db()
        while table.hand_id is not None:
            assert house.let_people_act(table)
            table.refresh_from_db()
        device.answer()
        ready_players.bet_again(alice, table.pk, played, house.now)
        device.answer()
    assert Table.objects.get(pk=table.pk).hands_dealt == ROUNDS + 1
    starts = set(
        Hand.objects.filter(table=table, number__gt=1).values_list("started_at", flat=True)
    )
    assert starts == {began}
