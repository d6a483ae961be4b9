"""`manage.py adopt_first_release`: take over a house that is older than the first release."""

from django.core.management.base import BaseCommand

from casino.ops.first_release import adopt


class Command(BaseCommand):
    help = "Records the migrations of the first release in a house that is older; run it once."
    requires_migrations_checks = False

    def handle(self, *_arguments: object, **_options: object) -> None:
        if adopt():
            self.stdout.write("This house is one of the first release now; run `migrate` next.")
        else:
            self.stdout.write("There is nothing to adopt.")
