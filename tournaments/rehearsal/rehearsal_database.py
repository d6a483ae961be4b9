"""Whether a database is one to rehearse in: empty, or left by earlier rehearsals."""

from django.contrib.auth import get_user_model
from django.db import connection

from games.models import Table
from tournaments.models import Tournament
from tournaments.rehearsal.variant import Unfit


def require_own() -> None:
    """Refuse the database of a house: secrets that follow from a seed have no place in it."""
    there = set(connection.introspection.table_names())
    players = get_user_model()
    if not there:
        return
    if not {model._meta.db_table for model in (players, Table, Tournament)} <= there:
        raise Unfit("This database holds something else: give one that is empty.")
    people = players.objects.filter(is_bot=False).exists()
    if people or Table.objects.filter(organiser="").exists():
        raise Unfit("A house plays in this database: give one that is empty.")
    over = (Tournament.State.FINISHED, Tournament.State.CANCELLED)
    if Tournament.objects.exclude(state__in=over).exists():
        raise Unfit("A tournament in this database has not ended: give one that is empty.")
