"""`manage.py createsuperuser` is refused: `appoint` makes superusers, and writes the journal."""

from typing import NoReturn

from django.contrib.auth.management.commands import createsuperuser
from django.core.management.base import CommandError


class Command(createsuperuser.Command):
    help = "Refused, because it writes no journal: see `manage.py appoint --help`."
    # It refuses before it asks the database anything.
    requires_migrations_checks = False

    def handle(self, *_arguments: object, **_options: object) -> NoReturn:
        raise CommandError(
            "createsuperuser writes no journal. In an open house use `manage.py appoint NAME "
            "--superuser --by MANAGER --why TEXT`; `manage.py found` appoints the first manager."
        )
