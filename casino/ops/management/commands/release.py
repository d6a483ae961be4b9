"""`manage.py release --by NAME --why TEXT`: note the code in this folder as released."""

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.ops import released_code
from casino.ops.running_code import code_on_disk
from wallets.staff import journal
from wallets.staff.staff_command import RUN, StaffCommand


class Command(StaffCommand):
    verb = journal.register("command:release", _("Noted which code is released"), permission=RUN)
    help = "Writes the hash of the code to RELEASE_FILE, with which the running code is compared."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--sha256", metavar="HASH", help="the hash that was published; refuse any other code"
        )

    def handle(self, *_arguments: object, **options: object) -> None:
        if settings.RELEASE_HASH:
            raise CommandError("RELEASE_HASH is set, and decides which code is released.")
        here = code_on_disk()
        if options["sha256"] not in (None, here):
            raise CommandError(f"--sha256: the code here has {here}.")
        with self.acting(options) as who, transaction.atomic():
            before = {"sha256": released_code.released()}
            self.note(who, options, before=before, after={"sha256": here})
            # Last: without the file there is no entry either.
            released_code.note(here)
        self.stdout.write(f"{here} is noted in {released_code.file()}")
