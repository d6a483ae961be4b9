"""What a process remembers of a live hand, and when it forgets it."""

import gc
import weakref

import pytest

from games.boards.hand_at_table import hand_at
from games.boards.own_view import own_hand
from games.boards.table_view import table_view
from games.live import announcing
from games.models import Shoe, Table
from games.tables.open_rounds import call_off_round
from games.tables.table_cache import cached_hand
from tests.games.evenings import played_once
from tests.games.house import House

evening = played_once(lambda house: house.dealt_in("doudizhu", "alice", "bob", "carol"))


def read(table: Table) -> Table:
    """The table as another request reads it."""
    return Table.objects.select_related("currency", "shoe").get(pk=table.pk)


def test_all_who_look_share_one_hand_and_its_state(house: House, table: Table) -> None:
    first = cached_hand(read(table))
    assert cached_hand(read(table)) is first
    before = first.after(table.moves_made)
    assert first.after(table.moves_made) is before
    house.let_people_act(table)
    later = read(table)
    after = cached_hand(later).after(later.moves_made)
    assert len(after.moves) == later.moves_made > len(before.moves)
    assert after.state != before.state


@pytest.mark.always
def test_a_late_reader_gets_the_state_of_the_moves_that_they_know(
    house: House, table: Table
) -> None:
    early = read(table)
    house.let_people_act(table)
    later = read(table)
    cached_hand(later).after(later.moves_made)
    assert len(cached_hand(early).after(early.moves_made).moves) == early.moves_made


def test_a_hand_of_another_shoe_is_not_taken_for_it(table: Table) -> None:
    first, other = cached_hand(read(table)), read(table)
    assert other.shoe is not None
    other.shoe_id = "T9-1-000000"
    assert cached_hand(other) is not first


def test_what_cannot_change_is_looked_up_once(table: Table) -> None:
    values = [cached_hand(read(table)).once("name", object) for _look in range(2)]
    assert values[0] is values[1]


@pytest.mark.django_db(transaction=True)
def test_nothing_of_a_hand_is_remembered_once_somebody_looks_after_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A line of the log about Redis would keep an exception, and so the variables of its functions.
    monkeypatch.setattr(announcing.breaker, "may_try", lambda: False)
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    live = cached_hand(read(table))
    live.after(table.moves_made)
    remembered = weakref.ref(live)
    del live
    while table.hand_id:
        assert house.let_people_act(table)
        table.refresh_from_db()
    hand_at(read(table))
    gc.collect()
    assert remembered() is None


@pytest.mark.parametrize("remembered", [True, False])
def test_a_round_that_was_called_off_since_the_table_was_read(
    house: House, *, remembered: bool
) -> None:
    table = house.dealt_in("blackjack", "alice")
    alice, early = house.person("alice"), read(table)
    if remembered:
        cached_hand(early)
    assert call_off_round(table.pk, house.now)
    assert hand_at(read(table)) is None
    assert own_hand(alice, early) is None
    seen = table_view(alice, early, house.now)
    assert (seen.hand, seen.table.hand_id, seen.table.phase) == (None, None, Table.Phase.PAUSE)


@pytest.mark.parametrize("game", ["blackjack", "russian_poker"])
def test_a_round_is_called_off_after_attempts_that_failed(
    house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = house.dealt_in(game, "alice")
    shoe = read(table).shoe
    assert shoe is not None

    def fail(_table: Table) -> None:
        raise OSError("the last write")

    with monkeypatch.context() as patch:
        patch.setattr("games.tables.hand_in_play.store_table", fail)
        for _attempt in range(2):
            with pytest.raises(OSError, match="the last write"):
                call_off_round(table.pk, house.now)
    assert call_off_round(table.pk, house.now)
    assert Shoe.objects.get(pk=shoe.pk).rounds_played == shoe.rounds_played - 1
