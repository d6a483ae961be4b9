"""The end of an event is a scene: its last hand, the podium, and the way into the next one."""

from typing import Any

import pytest

from games.models import Table
from tests.people import client_of
from tests.tournaments.events import Event, plain, sit_and_go
from tournaments.mathematics.payouts import prizes
from tournaments.mathematics.problems import problems
from tournaments.mathematics.structure import GAMES
from tournaments.models import Entry, Tournament
from tournaments.running import announcing, demo

pytestmark = pytest.mark.django_db(transaction=True)

HIGH: dict[str, Any] = {"levels": [{"point": 1_000}], "game": "thirteen_taiwan"}


@pytest.mark.always
def test_the_last_hand_is_shown_with_its_players_below_a_podium(event: Event) -> None:
    played = sit_and_go(seats=4, **HIGH)
    players = event.open(played, 4)
    event.until(event.is_running)
    event.play_closely()
    assert event.row.state == Tournament.State.FINISHED
    following = announcing.announce(event.row.template, event.house.now, by="player:1")
    table = Table.objects.get(organiser=f"tournament:{event.number}")
    assert table.status == Table.Status.CLOSED
    winner = Entry.objects.get(tournament=event.number, place=1)
    client = client_of(winner.player)
    page = client.get(f"/tables/{table.pk}/").text
    hand = table.hands.latest("number")
    for seat in hand.seats.all():
        assert f'id="seat-{seat.number}"' in page
        assert str(seat.player) in plain(page)
    assert f'id="ended-{hand.pk}"' in page
    podium = page[page.index('id="podium"') :]
    assert podium.index(str(winner.player)) < podium.index("</li>")
    assert 'id="podium-mine"' in podium
    chinese = client.get(f"/tables/{table.pk}/", headers={"Accept-Language": "zh-hans"}).text
    assert "游戏币" in chinese.partition('id="podium"')[2].partition("</ol>")[0]
    assert f'action="/tournaments/{following.pk}/register/"' in podium
    answer = client.post(f"/tournaments/{following.pk}/register/")
    assert answer.status_code == 302
    assert Entry.objects.filter(tournament=following, player=winner.player).exists()
    # The page of the event has the same scene; who has won nothing hears no moment.
    loser = next(player for player in players if player != winner.player)
    event_page = client_of(loser).get(f"/tournaments/{event.number}/").text
    assert 'id="podium"' in event_page
    assert 'id="podium-mine"' not in event_page


def test_while_it_is_played_there_is_no_podium(event: Event) -> None:
    event.open(sit_and_go(seats=4, **HIGH), 4)
    event.until(event.is_running)
    table = Table.objects.get(organiser=f"tournament:{event.number}")
    page = client_of(event.house.player("eve")).get(f"/tables/{table.pk}/").text
    assert 'id="podium"' not in page


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_place_in_the_prizes_of_the_houses_sit_and_go_pays_more_than_the_entry(
    game: str,
) -> None:
    structure = demo.structure_of(game)
    pool = structure.stake * structure.field_max
    won = prizes(structure.payouts, pool, structure.field_max, structure.field_max)
    assert sum(won) == pool
    assert min(won) > structure.stake + structure.fee


@pytest.mark.always
def test_a_sit_and_go_with_a_prize_below_its_entry_is_refused() -> None:
    shares = {"by": "percentage", "shares": [{"share": 7_000}, {"share": 3_000}]}
    three = sit_and_go("doudizhu", 3, payouts=shares)
    assert [problem.code for problem in problems(three)] == ["prize_below_entry"]
    assert problems(sit_and_go(seats=4, payouts=shares)) == []
