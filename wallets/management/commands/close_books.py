"""`manage.py close_books`: the hash of all books to be published."""

from typing import Any

from django.core.management.base import BaseCommand

from wallets.closings import close


class Command(BaseCommand):
    help = "Close all books under one hash and print it, to be published."

    def handle(self, **options: Any) -> None:
        self.stdout.write(close().hash)
