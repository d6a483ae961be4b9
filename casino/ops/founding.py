"""Founding a house: everything in one transaction, once, and the files of its machine.

`docs/deploy` has the examples. Each value in them is replaced by a setting of this house.
"""

import getpass
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext_lazy as _

from casino.accounts import appointing, staff
from casino.accounts.first_password import one_time_password
from casino.accounts.models import Player
from casino.ops.founding_plan import NewTable, Plan, Wrong
from casino.ops.private_files import TOP, make_folder
from games.models import Table
from games.tables.demo import BOTS
from games.tables.settings import gifts, problems, seat_bounds, usual_stacks
from wallets.models import Account, Currency, Transaction
from wallets.money.accounts import account
from wallets.money.cashier import HOUSE
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.staff_command import account_here
from wallets.values.errors import Refused

VERB: Final = journal.register("command:found", _("Founded the house"))
WHO: Final = journal.By("command:found", "manage.py found")
# The sources and targets of money; a table's rake and a jackpot's pool open with them.
ACCOUNTS: Final = (
    Account.Kind.HOUSE,
    Account.Kind.ISSUE,
    Account.Kind.PROMOTION,
)


def why_not() -> str:
    """Return why this house cannot be founded, as a sentence; empty if it can."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return "The database is not ready: run manage.py migrate first."
    there = {
        "currencies": Currency.objects.exclude(kind=Currency.Kind.CHIPS).count(),
        "tables": Table.objects.count(),
        "members of staff": Player.objects.filter(is_staff=True).count(),
        "postings": Transaction.objects.count(),
    }
    contents = ", ".join(f"{what}: {count}" for what, count in there.items() if count)
    if not contents:
        return ""
    return f"This house is founded already ({contents}). Staff change it in the back office."


@under(VERB)
def found(plan: Plan, chosen: dict[str, str], why: str) -> dict[str, str]:
    """Found the house; return the one-time passwords of those who have chosen no password.

    `chosen` has the passwords that people typed, by name.
    """
    with transaction.atomic():
        # Of two simultaneous foundings, the second finds an existing house.
        list(Group.objects.select_for_update().order_by("pk"))
        if reason := why_not():
            raise Wrong(reason)
        for currency in plan.currencies:
            currency.save(force_insert=True)
            for kind in ACCOUNTS:
                account(kind, HOUSE, currency)
        people = [_appointed(member.name, member.role, chosen) for member in plan.staff]
        if any(table.bots for table in plan.tables):
            for name, face in BOTS.items():
                if not Player.name_is_taken(name):
                    Player.objects.create_bot(name, face)
        tables = [made(table) for table in plan.tables]
        entry = {
            "currencies": [currency.code for currency in plan.currencies],
            "staff": {f"player:{person.pk}": appointing.roles_of(person) for person in people},
            "tables": {table.reference: table.game for table in tables},
        }
        with journal.coming_from(f"command line: {account_here()}"):
            note(why, entry)
        return {
            person.username: one_time_password(person)
            for person in people
            if not person.has_usable_password()
        }


def note(why: str, after: dict[str, Any]) -> None:
    journal.write(WHO, VERB, "house", before={}, after=after, reason=why)


def _appointed(name: str, role: str, chosen: dict[str, str]) -> Player:
    try:
        player = appointing.create(name)
    except Refused as refusal:
        raise Wrong(str(refusal.sentence)) from None
    if name in chosen:
        player.set_password(chosen[name])
        player.save(update_fields=["password"])
    staff.appoint(player, role)
    return player


def made(wanted: NewTable) -> Table:
    """A table with the checks of the back office's form."""
    table = table_of(wanted, Currency.objects.get(pk=wanted.currency))
    table.save()
    return table


def table_of(wanted: NewTable, currency: Currency) -> Table:
    """The row of a table, checked and not stored; bets that favour players are no way to begin."""
    values = _values(wanted, currency)
    table = Table(**values)
    try:
        # What a new row gets when it is stored is not there yet.
        table.clean_fields(exclude=["currency", "sealed_invitation", "invitation_digest"])
    except ValidationError as reason:
        field, sentences = next(iter(reason.message_dict.items()))
        raise Wrong(f"Table {wanted.name}, {field}: {' '.join(sentences)}") from None
    if values["buy_in_max"] < values["buy_in_min"]:
        raise Wrong(f"Table {wanted.name}: the smallest buy-in is above the largest.")
    for field, sentence in problems(table, values):
        raise Wrong(f"Table {wanted.name}, {field}: {sentence}")
    for sentence in gifts(table, values):
        raise Wrong(f"Table {wanted.name}: {sentence}")
    return table


def _values(wanted: NewTable, currency: Currency) -> dict[str, Any]:
    usual = usual_stacks(wanted.game, wanted.options)
    least = wanted.buy_in_min or usual["buy_in_min"]
    if least is None:
        raise Wrong(f"Table {wanted.name}: buy_in_min is missing; this game has no usual one.")
    column: Any = Table._meta.get_field
    return {
        "name": wanted.name,
        "game": wanted.game,
        "options": wanted.options,
        "currency": currency,
        "places": wanted.seats or seat_bounds(wanted.game, wanted.options)[1],
        "buy_in_min": least,
        "buy_in_max": wanted.buy_in_max or 10 * least,
        "stack_min": min(usual["stack_min"] or least, least),
        "bots_max": wanted.bots,
        **{
            name: wanted.seconds.get(name, column(name).default)
            for name in ("decision_seconds", "betting_seconds", "pause_seconds")
        },
    }


EXAMPLES: Final = TOP / "docs" / "deploy"
CHECKLIST: Final = "checklist.txt"


def write(folder: Path) -> list[Path]:
    """Write the files into a folder, over earlier ones; nothing without the examples."""
    if not EXAMPLES.is_dir():
        return []
    make_folder(folder)
    written = []
    for name, text in sorted(files(folder).items()):
        path = folder / name
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def files(folder: Path) -> dict[str, str]:
    values = _file_values(folder)
    files = {path.name: _replaced(path, values) for path in _examples()}
    if connection.vendor == "sqlite":
        # The backup is a dump of PostgreSQL.
        files = {name: text for name, text in files.items() if "backup" not in name}
    return files


def _examples() -> Iterator[Path]:
    yield from (EXAMPLES / "systemd").glob("card-room-*")
    yield EXAMPLES / "nginx.conf"
    yield EXAMPLES / CHECKLIST


def _file_values(folder: Path) -> dict[str, str]:
    """The text of the examples, and this house's value, the longest first."""
    database = settings.DATABASES["default"]
    hosts = [host for host in settings.ALLOWED_HOSTS if host.strip("*.") not in ("", "localhost")]
    return {
        "docs/deploy/systemd/": f"{folder}/",
        "docs/deploy/nginx.conf": f"{folder}/nginx.conf",
        "/var/lib/card-room-anchors": str(settings.ANCHORS_FILE.parent),
        "StateDirectory=card-room\nStateDirectoryMode=0700": f"ReadWritePaths={settings.DATA_DIR}",
        "/srv/card-room/.venv": sys.prefix,
        "/var/lib/card-room": str(settings.DATA_DIR),
        "/srv/card-room": str(TOP),
        "User=card-room\n": f"User={getpass.getuser()}\n",
        "account `card-room`": f"account `{getpass.getuser()}`",
        "/var/run/postgresql": str(database.get("HOST") or "/var/run/postgresql"),
        " cardroom'": f" {database['NAME']}'",
        "cards.example": hosts[0] if hosts else "cards.example",
    }


def _replaced(path: Path, values: Mapping[str, str]) -> str:
    """Replace each value once, so that no value is found in another."""
    text = path.read_text(encoding="utf-8")
    for number, there in enumerate(values):
        text = text.replace(there, f"\0{number}\0")
    for number, here in enumerate(values.values()):
        text = text.replace(f"\0{number}\0", here)
    return text
