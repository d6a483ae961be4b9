"""`manage.py close_books`: print the hash of all books, to be published."""

from django.utils.translation import gettext_lazy as _

from wallets.audit.chains import close_books
from wallets.staff import journal
from wallets.staff.staff_command import RUN, StaffCommand


class Command(StaffCommand):
    help = "Close all books under one hash and print it, to be published."
    verb = journal.register("command:close_books", _("Closed the books"), permission=RUN)

    def handle(self, **options: object) -> None:
        with self.acting(options) as who:
            closing = close_books()
            self.note(who, options, before={}, after={"closing": closing.pk, "hash": closing.hash})
        self.stdout.write(closing.hash)
