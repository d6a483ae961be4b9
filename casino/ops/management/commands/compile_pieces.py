"""`manage.py compile_pieces`: compile the pieces of boards for all processes that start later.

They are kept beside the code (`games/boards/pieces/engine.py`), so it runs when you deploy.
"""

from django.core.management.base import BaseCommand

from wallets.values.registry import AT_START


class Command(BaseCommand):
    help = "Compiles the pieces of boards in all languages, which each process would do otherwise."

    def handle(self, *_arguments: object, **_options: object) -> None:
        AT_START["pieces"]()
