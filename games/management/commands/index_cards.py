"""`manage.py index_cards`: write the index of cards for all hands that lack it.

The clock's job looks at the last two days; this is for the hands from before there was an index,
and from before a new key.
"""

from django.core.management.base import BaseCommand

from games.records import card_index


class Command(BaseCommand):
    help = "Writes the index by which auditors search hands by cards, for all hands that lack it."

    def handle(self, *_arguments: object, **_options: object) -> None:
        done = card_index.index(card_index.waiting())
        self.stdout.write(f"{done} hands indexed, {card_index.waiting().count()} wait")
