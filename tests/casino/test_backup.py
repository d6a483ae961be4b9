"""A house is dumped while hands are played, and restored: the same sums, and the play goes on.

The commands are those of `docs/operations.md`, run on a cluster of their own.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest

from casino.ops.private_files import open_to_others
from tests.casino.founded_house import Founded, at_home, commands, founded_house, go, run

pytestmark = [pytest.mark.processes, pytest.mark.release]

BACKUP: Final = ("## Backups", "### Restoring")
RESTORE: Final = ("### Restoring", "## Upgrades")
# Of the commands that open a house, those that a dump is about.
OPENED_BY: Final = ("createuser", "createdb", "set -a", "migrate", "grant_rights")
BEGINNING: Final = """
import json
import django
django.setup()
from django.db import transaction
from casino.ops.founding import founding
from casino.accounts import appointing, staff
from django.core.management import call_command
from django.db.models import Count, Max, Sum
from django.utils import timezone
from casino.accounts.models import Player
from games.models import ChainEntry, Hand, HandSeat, Move, Table
from games.shoes import chain
from tests.games.house import House
from wallets.models import Account, Entry, JournalEntry, Transaction
house = House()
house.now = timezone.now()
"""
# Hands of three games, of which one is left in the middle.
PLAY: Final = """
with transaction.atomic():
    helena = Player.objects.create_user("helena")
    staff.appoint(helena, staff.MANAGERS)
    roles = {f"player:{helena.pk}": appointing.roles_of(helena)}
    founding.note("opens the house", {"staff": roles})
names = iter(f"guest-{number}" for number in range(20))
for game, seats in (("doudizhu", 3), ("baccarat", 2), ("chinese_poker", 2)):
    table = house.dealt_in(game, *(next(names) for _ in range(seats)))
    house.until(table, lambda table: table.hands_dealt == 3)
    print(game, table.pk)
house.until(table, lambda table: table.hand_id is not None and not table.moves_made)
chain.link()
# A member of staff answers for the rows that this script has made by hand.
call_command("close_books", "--by", "helena", "--why", "a house made by hand")
call_command("anchor", "--by", "helena", "--why", "before the backup")
"""
SUMS: Final = """
def rows(found, *by, **sums):
    grouped = found.order_by(*by).values_list(*by).annotate(**sums)
    return [[str(part) for part in row] for row in grouped]
print(json.dumps({
    "accounts": rows(Account.objects, "currency", "kind", sum=Sum("balance"), number=Count("pk")),
    "entries": rows(Entry.objects, "account__currency", sum=Sum("amount"), number=Count("pk")),
    "transactions": rows(Transaction.objects, "kind", number=Count("pk")),
    "hands": rows(Hand.objects, "game", "status", number=Count("pk"), rake=Sum("rake")),
    "results": rows(HandSeat.objects, "game", "currency", net=Sum("net"), number=Count("pk")),
    "moves": rows(Move.objects, "hand__game", number=Count("pk")),
    "chain": rows(ChainEntry.objects, "kind", number=Count("pk"), last=Max("position")),
    "journal": rows(JournalEntry.objects, "verb", last=Max("hash")),
    "players": rows(Player.objects, "is_bot", number=Count("pk")),
}))
"""
# The hand that was live when the dump was made is played to its end.
GO_ON: Final = """
table = Table.objects.get(game="chinese_poker", hand__isnull=False)
live = table.hand_id
house.until(table, lambda table: Hand.objects.filter(pk=live, status="finished").exists())
call_command("reconcile")
print("played on")
"""
Sums = dict[str, Any]


@pytest.fixture(scope="module")
def open_house(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Founded]:
    """A database and roles as the document makes them, with hands played and one being played."""
    with founded_house(repository, tmp_path_factory.mktemp("backup")) as house:
        needed = [line for line in house.commands if any(word in line for word in OPENED_BY)]
        opened = run(house, "\n".join(needed))
        assert opened.returncode == 0, opened.stdout + opened.stderr
        go(house, repository, "play", BEGINNING + PLAY)
        yield house


def sums(house: Founded, repository: Path, **more: str) -> Sums:
    totals: Sums = json.loads(go(house, repository, "sums", BEGINNING + SUMS, **more))
    return totals


def done_by(house: Founded, repository: Path, section: tuple[str, str]) -> str:
    """What the commands of a section print, none of which may fail."""
    lines = [
        at_home(command, house.folder, house.socket) for command in commands(repository, *section)
    ]
    assert len(lines) >= 3
    # As most shells have it; private files must be asked for.
    done = run(house, "\n".join(["umask 022", *lines]))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_restored_house_has_the_same_sums_and_plays_on(
    open_house: Founded, repository: Path
) -> None:
    before = sums(open_house, repository)
    assert {status for _game, status, *_ in before["hands"]} == {"live", "finished"}
    assert len(before["moves"]) == 3
    done_by(open_house, repository, BACKUP)
    backups = open_house.folder / "backups"
    assert len(list(backups.iterdir())) == 2
    assert list(open_to_others(backups)) == []
    # What happens after the dump is not in it.
    go(open_house, repository, "go_on", BEGINNING + GO_ON)
    assert sums(open_house, repository) != before
    said = done_by(open_house, repository, RESTORE)
    assert "all accounts and all books fit" in said
    assert " audited: no differences" in said
    restored = f"postgres://cardroom@{open_house.socket.replace('/', '%2F')}/cardroom_restored"
    assert sums(open_house, repository, DATABASE_URL=restored) == before
    played = go(open_house, repository, "again", BEGINNING + GO_ON, DATABASE_URL=restored)
    assert "played on" in played
    a_false_sum_is_found(open_house, restored)


def a_false_sum_is_found(house: Founded, restored: str) -> None:
    """The checks after a restore are no formality: one chip too many is named."""
    with psycopg.connect(
        host=house.socket, user="house", dbname="cardroom_restored", autocommit=True
    ) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute(
            "UPDATE wallets_account SET balance = balance + 1"
            " WHERE id = (SELECT max(id) FROM wallets_account WHERE kind = 'player')"
        )
    check = at_home(
        "set -a; . /etc/card-room/environment; set +a\n"
        f"DATABASE_URL={restored} .venv/bin/python manage.py reconcile",
        house.folder,
        house.socket,
    )
    assert run(house, check).returncode == 1
