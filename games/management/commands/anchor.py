"""`manage.py anchor`: sign the heads of chain and ledger now, and write them to the file."""

import sys

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Anchor
from games.shoes import anchors
from wallets.staff import journal
from wallets.staff.staff_command import RUN, StaffCommand


class Command(StaffCommand):
    verb = journal.register("command:anchor", _("Made an anchor"), permission=RUN)
    help = "Signs the heads of the public chain and of the books, and appends them to ANCHORS_FILE."

    def handle(self, *_arguments: object, **options: object) -> None:
        with self.acting(options) as who:
            anchors.anchor(timezone.now())
            last = Anchor.objects.order_by("-number").first()
            self.note(who, options, before={}, after={"anchor": last.number if last else None})
        if last is None or not last.written:
            self.stdout.write(self.style.ERROR(f"nothing could be written to {anchors.file()}"))
            sys.exit(1)
        self.stdout.write(f"anchor {last.number} is written to {anchors.file()}")
