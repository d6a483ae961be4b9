"""`manage.py appoint NAME ROLE --by NAME --why TEXT`, `--create`, and `--dismiss`.

Without a role, `--password-file` gives a new one-time password to an account that has none.
"""

from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from casino.accounts import appointing
from casino.accounts.appointing import ROLES
from casino.accounts.first_password import ADDRESS, one_time_password, write_down
from casino.accounts.models import Player
from wallets.staff import journal
from wallets.staff.staff_command import StaffCommand
from wallets.values.errors import Refused

# The options that change something.
CHANGES: Final = ("role", "superuser", "create", "dismiss")


class Command(StaffCommand):
    verb = appointing.APPOINT
    help = f"Gives a person a role, or takes it away. The roles: {', '.join(ROLES)}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="whom")
        parser.add_argument("role", nargs="?", default="", help="with --dismiss may be left out")
        parser.add_argument(
            "--superuser", action="store_true", help="a superuser, instead of a role"
        )
        parser.add_argument("--create", action="store_true", help="make the account, too")
        parser.add_argument("--dismiss", action="store_true", help="take the role, or every role")
        parser.add_argument(
            "--password-file",
            type=Path,
            metavar="PATH",
            help="the new file for the one-time password, instead of the terminal; without a role, "
            "for a member of staff who has not chosen a password yet",
        )

    def handle(self, *_arguments: object, **options: Any) -> None:
        create, file = options["create"], options["password_file"]
        anew = file is not None and not any(options[change] for change in CHANGES)
        if create and options["dismiss"]:
            raise CommandError("--create and --dismiss do not go together.")
        if create and file is None and not self.stdout.isatty():
            raise CommandError(
                "Name a new file for the one-time password with --password-file: it is shown on a "
                "terminal, and nowhere else."
            )
        with self.acting(options) as who, transaction.atomic():
            try:
                player, roles = (self._anew if anew else self._change)(who, options)
                password = one_time_password(player) if create or anew else ""
                if password and file is not None:
                    write_down(file, {player.username: password})
            except Refused as refusal:
                raise CommandError(str(refusal.sentence)) from None
            except OSError as problem:
                raise CommandError(f"--password-file: {problem}") from None
        self.stdout.write(f"{player.username}: {', '.join(roles) or self._without_roles(player)}.")
        if password:
            where = f"is in {file}" if file else f"is {password}"
            self.stdout.write(f"The one-time password {where}; it is typed at {ADDRESS} once.")

    def _anew(self, who: journal.By, options: dict[str, Any]) -> tuple[Player, list[str]]:
        player = appointing.player_named(options["name"])
        appointing.note_handed_out(player, who, options["why"])
        return player, appointing.roles_of(player)

    def _change(self, who: journal.By, options: dict[str, Any]) -> tuple[Player, list[str]]:
        name, role, why = options["name"], options["role"], options["why"]
        superuser, dismiss = options["superuser"], options["dismiss"]
        if dismiss and not superuser:
            player = appointing.player_named(name)
            return player, appointing.take(player, role, who, why)
        if not superuser:
            appointing.require_role(role)
        player = appointing.create(name) if options["create"] else self._known(name)
        if superuser:
            return player, appointing.make_superuser(player, who, why, superuser=not dismiss)
        return player, appointing.give(player, role, who, why)

    def _without_roles(self, player: Player) -> str:
        player.refresh_from_db(fields=["is_superuser"])
        return "superuser" if player.is_superuser else "no longer staff"

    def _known(self, name: str) -> Player:
        try:
            return appointing.player_named(name)
        except Refused as refusal:
            raise CommandError(f"{refusal.sentence} Add --create to make the account.") from None
