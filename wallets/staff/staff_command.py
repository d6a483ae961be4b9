"""Commands that change or hand out something: each run is an entry of the journal.

`--by` names a member of staff whose role allows the command, and `--why` says why. A person who can
run commands on the machine can name any member of staff, so the origin of the entry is the account
on the machine.
"""

import getpass
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar, Final

from django.contrib.auth import get_user_model
from django.core.exceptions import ObjectDoesNotExist
from django.core.management.base import BaseCommand, CommandError, CommandParser

from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.errors import Refused


def account_here() -> str:
    """The account on this machine that runs the command."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


# The beginning of their verbs.
COMMAND: Final = "command:"
# The needs of commands that are no verb of a page: they keep keys, books and code.
RUN: Final = "wallets.run_command"


class StaffCommand(BaseCommand):
    """A command of staff; `verb` is its name in the journal, and says who may give it."""

    verb: ClassVar[str]
    # Some commands only read, unless an option says otherwise.
    always: ClassVar[bool] = True

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: object) -> CommandParser:
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.add_argument(
            "--by", metavar="NAME", required=self.always, help="who does it: a member of staff"
        )
        parser.add_argument(
            "--why", metavar="TEXT", required=self.always, help="why, for the journal"
        )
        return parser

    @contextmanager
    def acting(self, options: Mapping[str, Any]) -> Iterator[journal.By]:
        """Yield who acts; entries written inside name this machine's account as their origin."""
        try:
            journal.reason_of(options["why"] or "")
        except Refused as refusal:
            raise CommandError(f"--why: {refusal.sentence}") from None
        with under(self.verb), journal.coming_from(f"command line: {account_here()}"):
            yield self._member(options["by"] or "")

    def note(
        self,
        who: journal.By,
        options: Mapping[str, Any],
        *,
        before: journal.Values,
        after: journal.Values,
    ) -> None:
        journal.write(who, self.verb, self.verb, before=before, after=after, reason=options["why"])

    def _member(self, name: str) -> journal.By:
        try:
            member: Any = get_user_model().objects.get_by_natural_key(name)
        except ObjectDoesNotExist:
            member = None
        if member is None or not member.is_active or not (member.is_staff or member.is_superuser):
            raise CommandError(f"--by: {name!r} is no member of staff.")
        if not journal.permits(member, self.verb):
            raise CommandError(f"--by: {name!r} has no role that may do this.")
        return journal.by(member)
