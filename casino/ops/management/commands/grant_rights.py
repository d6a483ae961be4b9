"""`manage.py grant_rights`: what the application's role may do, granted by the owner of the tables.

It runs `docs/deploy/roles.sql`, after each `migrate`, where the two are different roles.
"""

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from wallets.of_record.guards import ROLES


class Command(BaseCommand):
    help = "Grants the role cardroom its rights in this database, as the owner of its tables."

    def handle(self, *_arguments: object, **_options: object) -> None:
        if connection.vendor != "postgresql":
            raise CommandError("Only PostgreSQL has roles.")
        with connection.cursor() as cursor:
            cursor.execute(ROLES.read_text())
