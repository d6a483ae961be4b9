"""A process that starts anew finds every live hand as it was: whose turn, with which cards."""

from games.models import Seat
from games.tables import clock
from tests.games.hidden_cards import forget_everything
from tests.games.house import House


def test_the_deadline_runs_on_and_the_turn_is_played_once(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    ((seat, turn),) = table.turns.items()
    deadline = table.deadline
    assert deadline is not None
    Seat.objects.update(time_bank=0)
    forget_everything(table)
    house.now = deadline
    clock.tick(table.pk, house.now)
    assert table.hand is not None
    assert list(table.hand.moves.values_list("seat", "turn", "by")) == [
        (int(seat), turn, "timeout")
    ]


def test_a_move_of_a_page_from_before_is_taken(house: House) -> None:
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    ((seat, turn),) = table.turns.items()
    name = ("alice", "bob", "carol")[int(seat) - 1]
    forget_everything(table)
    house.act(table, name, {"do": "call", "points": 0}, turn)
    table.refresh_from_db()
    assert table.moves_made == 1
    assert str(seat) not in table.turns
