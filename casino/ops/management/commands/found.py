"""`manage.py found [--file found.toml]`: the first run in front of players.

Without a file it asks for the plan step by step; a wrong answer is asked for again.
"""

import tomllib
from collections.abc import Callable
from getpass import getpass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.accounts.first_password import ADDRESS, write_down
from casino.accounts.models import Player
from casino.accounts.staff import MANAGERS
from casino.ops import founding
from casino.ops import founding_plan as plans
from casino.ops.founding_plan import Member, NewTable, Plan, Wrong, read_plan
from games.rules.catalogue import GAMES
from wallets.models import Currency
from wallets.staff import journal
from wallets.values.errors import Refused

Answer = TypeVar("Answer")


class Terminal(NamedTuple):
    """Functions that ask, ask without showing the answer, and print."""

    ask: Callable[[str], str]
    ask_hidden: Callable[[str], str]
    say: Callable[[str], object]


def ask_plan(terminal: Terminal) -> tuple[Plan, dict[str, str]]:
    """All answers, and the passwords that people typed."""
    terminal.say("Currencies: what the house plays for.")
    currencies = _several(terminal, "Another currency?", lambda: _currency(terminal))
    terminal.say("Staff: two managers, because no manager approves their own proposal.")
    chosen: dict[str, str] = {}
    staff = _several(terminal, "Another member of staff?", lambda: _member(terminal, chosen))
    terminal.say("Tables.")
    by_code = {currency.code: currency for currency in currencies}
    tables = _several(terminal, "Another table?", lambda: _table(terminal, by_code))
    plan = Plan(tuple(currencies), tuple(staff), tuple(tables))
    plans.check_whole(plan)
    return plan, chosen


def _several(terminal: Terminal, another: str, ask_one: Callable[[], Answer]) -> list[Answer]:
    answers = [_until_right(terminal, ask_one)]
    while _yes(terminal, another):
        answers.append(_until_right(terminal, ask_one))
    return answers


def _until_right(terminal: Terminal, ask_one: Callable[[], Answer]) -> Answer:
    while True:
        try:
            return ask_one()
        except Wrong as wrong:
            terminal.say(f"  {wrong}")


def _question(
    terminal: Terminal, words: str, read: Callable[[Any], Answer], usual: str = ""
) -> Answer:
    shown = f"  {words} [{usual}]: " if usual else f"  {words}: "
    return _until_right(terminal, lambda: read(terminal.ask(shown).strip() or usual))


def _yes(terminal: Terminal, words: str) -> bool:
    def read(text: str) -> bool:
        if text.lower() not in ("y", "yes", "n", "no"):
            raise Wrong("Answer y or n.")
        return text.lower().startswith("y")

    return _question(terminal, words, read, "n")


def _currency(terminal: Terminal) -> Currency:
    return Currency(
        code=_question(terminal, "Code, such as EUR", plans.code),
        name=_question(terminal, "Name", lambda text: plans.words(text, plans.NAME_MAX)),
        kind=_question(terminal, "Kind, money or play", plans.kind, "money"),
        exponent=_question(terminal, "Digits after the point", plans.digits, "2"),
    )


def _member(terminal: Terminal, chosen: dict[str, str]) -> Member:
    member = Member(
        _question(terminal, "Name", plans.person),
        _question(terminal, "Role", plans.role, MANAGERS),
    )
    password = _until_right(terminal, lambda: _password(terminal, member.name))
    if password:
        chosen[member.name] = password
    return member


def _password(terminal: Terminal, name: str) -> str:
    typed = terminal.ask_hidden("  Password, or nothing for a one-time password: ")
    if not typed:
        return ""
    try:
        validate_password(typed, Player(username=name, is_staff=True))
    except ValidationError as reason:
        raise Wrong(" ".join(reason.messages)) from None
    if terminal.ask_hidden("  The same again: ") != typed:
        raise Wrong("The two are not the same.")
    return typed


def _table(terminal: Terminal, currencies: dict[str, Currency]) -> NewTable:
    terminal.say(f"  The games: {', '.join(GAMES)}.")
    game = _question(terminal, "Game", plans.game)
    data: dict[str, object] = {"game": game}
    data["name"] = _question(
        terminal, "Name of the table", lambda text: plans.words(text, plans.TABLE_NAME_MAX)
    )
    currency = _question(
        terminal, "Currency", lambda text: plans.one_of(text, currencies), next(iter(currencies))
    )
    data["currency"] = currency.code

    def amount(text: str) -> str:
        plans.amount(text, currency)
        return text

    for name in (*plans.stakes_of(game), "buy_in_min", "buy_in_max"):
        words = name.replace("_", " ").replace("buy in", "buy-in").capitalize()
        data[name] = _question(terminal, f"{words}, in {currency.code}", amount)
    if currency.kind == Currency.Kind.PLAY:
        data["bots"] = _question(terminal, "Bots", lambda text: plans.whole(text, 0, 20), "0")
    table = plans.read_table(data, currencies)
    founding.table_of(table, currency)
    return table


class Command(BaseCommand):
    help = "Founds a house: currencies, house accounts, first staff, first tables. It runs once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--file", type=Path, metavar="PATH", help="answers, as TOML")
        parser.add_argument(
            "--password-file",
            type=Path,
            metavar="PATH",
            help="the new file for the one-time passwords, instead of the terminal",
        )
        parser.add_argument(
            "--machine-files",
            type=Path,
            metavar="FOLDER",
            help="where units, site, backup and checklist are written; DATA_DIR/machine by default",
        )
        parser.add_argument(
            "--why", default="The house is founded.", metavar="TEXT", help="why, for the journal"
        )

    def handle(self, *_arguments: object, **options: Any) -> None:
        passwords_to: Path | None = options["password_file"]
        if passwords_to is None and not self.stdout.isatty():
            raise CommandError(
                "Name a new file for the one-time passwords with --password-file: they are shown "
                "on a terminal, and nowhere else."
            )
        if passwords_to is not None and passwords_to.exists():
            raise CommandError(f"--password-file: {passwords_to} is there already.")
        try:
            why = journal.reason_of(options["why"])
            if reason := founding.why_not():
                raise Wrong(reason)
            plan, chosen = self._plan(options["file"])
            one_time = founding.found(plan, chosen, why)
        except Wrong as wrong:
            raise CommandError(f"{wrong} Nothing was made.") from None
        except Refused as refusal:
            raise CommandError(f"--why: {refusal.sentence} Nothing was made.") from None
        except (EOFError, KeyboardInterrupt):
            raise CommandError("Not finished. Nothing was made.") from None
        self._report(plan, one_time, passwords_to)
        self._write_machine_files(options["machine_files"])

    def _write_machine_files(self, folder: Path | None) -> None:
        """Write units, site, backup and checklist; without them the house is founded as well."""
        folder = (folder or settings.DATA_DIR / "machine").resolve()
        try:
            written = founding.write(folder)
        except OSError as problem:
            self.stderr.write(f"The files of the machine could not be written: {problem}.")
            return
        if written:
            self.stdout.write(
                f"Units, site, backup and a checklist with this house's values are in {folder}; "
                f"begin with {founding.CHECKLIST}."
            )

    def _plan(self, file: Path | None) -> tuple[Plan, dict[str, str]]:
        if file is None:
            return ask_plan(Terminal(input, getpass, self.stdout.write))
        try:
            return read_plan(tomllib.loads(file.read_text(encoding="utf-8"))), {}
        except (OSError, ValueError) as problem:
            raise Wrong(f"{file} cannot be read: {problem}.") from None

    def _report(self, plan: Plan, one_time: dict[str, str], file: Path | None) -> None:
        self.stdout.write(
            f"Founded. Currencies: {len(plan.currencies)}, staff: {len(plan.staff)}, "
            f"tables: {len(plan.tables)}."
        )
        if not one_time:
            return
        self.stdout.write(f"Each one-time password is typed at {ADDRESS} once, within three days.")
        if file is None:
            for name, password in one_time.items():
                self.stdout.write(f"  {name}: {password}")
            return
        try:
            write_down(file, one_time)
        except OSError as problem:
            raise CommandError(
                f"The house is founded, and the passwords could not be written: {problem}."
            ) from None
        self.stdout.write(f"They are in {file}: hand them over, and delete it.")
