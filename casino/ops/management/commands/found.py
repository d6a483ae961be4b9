"""`manage.py found [--file found.toml]`: the first run in front of players."""

import tomllib
from getpass import getpass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from casino.accounts.first_password import ADDRESS, write_down
from casino.ops.founding import founding
from casino.ops.founding.plan import Plan, Wrong, read_plan
from casino.ops.founding.questions import Terminal, ask_plan
from wallets.staff import journal
from wallets.values.errors import Refused


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
