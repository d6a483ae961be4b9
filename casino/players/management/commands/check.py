"""`manage.py check`: Django's checks, and those that ask the database.

Django leaves the latter to `migrate`; whether rights agree with the journal is worth asking for.
"""

from typing import Any

from django.core.management.commands import check
from django.db import DEFAULT_DB_ALIAS


class Command(check.Command):
    def handle(self, *app_labels: str, **options: Any) -> None:
        options["databases"] = options["databases"] or [DEFAULT_DB_ALIAS]
        super().handle(*app_labels, **options)
