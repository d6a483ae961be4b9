"""The database statements of a move: a plain play never needs more than eight."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Table
from games.tables import play
from tests.games.house import House

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_plain_play_however_long_the_hand_is(house: House) -> None:
    names = ("alice", "bob", "carol")
    table = house.dealt_in("doudizhu", *names)
    counts = []
    while table.phase == Table.Phase.PLAY:
        (number,) = table.turns
        name, hand = names[int(number) - 1], table.hand_id
        action, player = house.best_action(table, name), house.person(name)
        assert hand is not None
        with CaptureQueriesContext(connection) as queries:
            play.act(player, table.pk, hand, table.turns[number], action, house.now)
        table.refresh_from_db()
        counts.append(len(queries))
    # The last move settles the hand.
    assert max(counts[:-1]) <= 8
    assert counts[-1] <= 40
