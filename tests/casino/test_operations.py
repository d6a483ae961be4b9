"""From an empty PostgreSQL to the first hand, by the commands of `docs/operations.md`.

The commands are read from the document and run one after the other on a cluster of their own. Then
the application's role plays a hand, and is refused whatever would change ledger, journal or chain.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg
import pytest
from psycopg import errors

from tests.casino.founded_house import Founded, commands, founded_house, go, run

pytestmark = [pytest.mark.processes, pytest.mark.release]

GUARDED: Final = (
    "wallets_transaction", "wallets_entry", "wallets_closing", "wallets_closinghead",
    "wallets_journalentry", "games_chainentry", "games_anchor",
)  # fmt: skip
A_ROLE: Final = """
INSERT INTO players_player_groups (player_id, group_id)
SELECT player.id, role.id FROM players_player AS player, auth_group AS role
WHERE NOT player.is_staff AND role.name = 'managers' LIMIT 1
"""
# A hand is played, linked to the chain, closed, anchored and reversed, all by the second role.
FIRST_HAND: Final = """
import django
django.setup()
from django.core.management import call_command
from django.utils import timezone
from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand
from games.records import reversals
from games.shoes import chain
from tests.changes_of_record import allow_tests
from tests.games.house import House
allow_tests()
house = House()
house.now = timezone.now()
table = house.dealt_in("baccarat", "alice", "bob")
house.until(table, lambda table: Hand.objects.filter(status="finished").exists())
house.until(table, lambda table: table.hand_id is None)
assert chain.link() > 0
assert chain.link() == 0
by = ("--by", "helena", "--why", "the first night")
call_command("reconcile")
call_command("close_books", *by)
call_command("anchor", *by)
call_command("anchor", *by)
helena = Player.objects.get(username="helena")
hand = Hand.objects.filter(status="finished", table=table).first()
reversals.void(helena, hand.pk, "it was a test", house.now, house_pays=True)
chain.link()
call_command("reconcile", "--everything")
print("the first hand is", hand.code)
"""


@pytest.fixture(scope="module")
def founded(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Founded]:
    with founded_house(repository, tmp_path_factory.mktemp("first-night")) as house:
        yield house


def test_the_documents_commands_lead_to_the_first_hand(founded: Founded, repository: Path) -> None:
    done = run(founded, "\n".join(founded.commands))
    assert done.returncode == 0, done.stdout + done.stderr
    for words in ("Founded. Currencies: 2", "petra: floor.", "Maintenance is off", "no issues"):
        assert words in done.stdout + done.stderr, words
    assert "the first hand is" in go(founded, repository, "first_hand", FIRST_HAND)
    refused_to_the_application(founded)


def refused_to_the_application(founded: Founded) -> None:
    with psycopg.connect(
        host=founded.socket, user="cardroom", dbname="cardroom", autocommit=True
    ) as connection:
        for table in GUARDED:
            assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() != (0,), table
            column = {"games_chainentry": "body", "games_anchor": "made_at"}.get(table, "id")
            for statement in (
                f"UPDATE {table} SET {column} = {column}",
                f"DELETE FROM {table}",
                f"TRUNCATE {table} CASCADE",
                f"ALTER TABLE {table} DISABLE TRIGGER ALL",
                f"DROP TABLE {table}",
            ):
                with pytest.raises(errors.InsufficientPrivilege):
                    connection.execute(statement)
        for statement in (
            "DELETE FROM wallets_account",
            "UPDATE wallets_account SET owner = owner",
            "DELETE FROM wallets_book",
            "DELETE FROM wallets_proposal",
            "DELETE FROM django_migrations",
            "UPDATE auth_group SET name = name",
            "DELETE FROM auth_group_permissions",
            "INSERT INTO players_player_user_permissions (player_id, permission_id) VALUES (1, 1)",
            "CREATE TABLE mine (id int)",
            "SET session_replication_role = replica",
            "DROP TRIGGER wallets_entry_grows ON wallets_entry",
            "DROP VIEW wallets_post",
        ):
            with pytest.raises(errors.InsufficientPrivilege):
                connection.execute(statement)
        # What it may write to these tables for its work, the triggers refuse afterwards.
        for statement in (
            "UPDATE games_chainentry SET head = repeat('0', 64) WHERE position IS NOT NULL",
            "UPDATE games_anchor SET written = false",
            "UPDATE wallets_account SET balance = balance + 1",
            "UPDATE auth_group SET id = -id",
            "UPDATE players_player SET is_superuser = true",
            A_ROLE,
            "DELETE FROM players_player_groups",
            "UPDATE wallets_recordedchange SET hash = '' WHERE position IS NOT NULL",
        ):
            with pytest.raises(errors.RestrictViolation):
                connection.execute(statement)


def test_every_command_of_the_section_is_tried_or_marked(repository: Path) -> None:
    """A block without a language would be neither."""
    text = (repository / "docs" / "operations.md").read_text()
    opened = re.findall(r"^```(\w*)$", text, re.MULTILINE)
    assert set(opened[::2]) == {"sh", "text"}
    assert len(commands(repository)) >= 14
