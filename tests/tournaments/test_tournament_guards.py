"""What the database itself forbids about events, to every writer."""

import pytest
from django.db import DatabaseError, connection, transaction

from tests.append_only import triggers_set_aside
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments.models import Payout
from wallets.of_record import guards

pytestmark = pytest.mark.django_db

TABLES = ("draw", "move", "elimination", "handended", "payout")
FORBIDDEN = {
    **{f"{table} deleted": f"DELETE FROM tournaments_{table}" for table in TABLES},
    "a draw changed": "UPDATE tournaments_draw SET label = 'another'",
    "a move changed": "UPDATE tournaments_move SET chips = chips + 1",
    "an elimination changed": "UPDATE tournaments_elimination SET stack = stack + 1",
    "an ended hand acted on again": "UPDATE tournaments_handended SET acted_at = NULL",
    "another hand": "UPDATE tournaments_handended SET void = NOT void",
    "a prize changed": "UPDATE tournaments_payout SET amount = amount + 1",
    "a prize for another": "UPDATE tournaments_payout SET place = place + 1",
    "a prize unpaid again": "UPDATE tournaments_payout SET paid_at = NULL, posting = NULL",
    "a place paid twice": """INSERT INTO tournaments_payout
        (tournament_id, entry_id, kind, place, amount, made_at)
        SELECT tournament_id, entry_id + 1, kind, place, amount, made_at FROM tournaments_payout""",
    "a prize born paid": """INSERT INTO tournaments_payout
        (tournament_id, entry_id, kind, place, amount, made_at, posting, paid_at)
        SELECT tournament_id, entry_id, 'refund', NULL, amount, made_at, posting, paid_at
        FROM tournaments_payout""",
    "a shoe deleted": "DELETE FROM tournaments_eventshoe",
    "another seal": "UPDATE tournaments_eventshoe SET seal = '00'",
    "another mix": "UPDATE tournaments_eventshoe SET mix = '00'",
    "a template that is in use": "UPDATE tournaments_template SET structure = '{}'",
    "an event begun anew": "UPDATE tournaments_tournament SET state = 'running'",
    "other rules for an event": "UPDATE tournaments_tournament SET structure = '{}'",
}


@transaction.atomic
def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)
    connection.check_constraints()


def test_the_database_forbids(event: Event) -> None:
    event.open(sit_and_go(levels=[{"point": 1_000}]), 2)
    event.play()
    assert Payout.objects.exists()
    for sql in FORBIDDEN.values():
        with pytest.raises(DatabaseError):
            execute(sql)


def test_a_guard_that_is_missing_is_named(event: Event) -> None:
    event.announce(structure())
    assert guards.missing() == []
    with triggers_set_aside(connection):
        assert {"wallets_entry_", "tournaments_payout_"} <= {
            f"{'_'.join(name.split('_')[:2])}_" for name in guards.missing()
        }
    assert guards.missing() == []
