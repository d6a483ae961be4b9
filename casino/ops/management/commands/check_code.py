"""`manage.py check_code --by NAME --why TEXT`: compare the code with the release's now."""

import sys

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.ops import released_code
from wallets.staff import journal
from wallets.staff.staff_command import StaffCommand


class Command(StaffCommand):
    verb = journal.register(
        "command:check_code",
        _("Compared the code with the release"),
        permission="upkeep.read_health",
    )
    help = "Compares running processes and the files here with the release; exits with 1 if not."

    def handle(self, *_arguments: object, **options: object) -> None:
        with self.acting(options) as who:
            differences = released_code.check(timezone.now())
            if differences is None:
                raise CommandError("No release is noted: `manage.py release` notes one.")
            after = {"release": released_code.released(), "found": differences}
            self.note(who, options, before={}, after=after)
        for sentence in differences:
            self.stdout.write(self.style.ERROR(sentence))
        if differences:
            sys.exit(1)
        self.stdout.write(f"All code is the release's, {released_code.released()}.")
