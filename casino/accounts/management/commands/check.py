"""`manage.py check`: Django's checks, and those that ask the database.

Django leaves the latter to `migrate`; whether rights agree with the journal is worth asking for.
"""

from django.core.management.base import CommandParser
from django.core.management.commands import check
from django.db import DEFAULT_DB_ALIAS


class Command(check.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(databases=[DEFAULT_DB_ALIAS])
