"""How many hands were dealt, by game."""

from collections.abc import Iterator

from django.db.models import Count

from casino.office.reports.columns import By, Column, Row
from casino.office.reports.figures import Figures
from casino.office.reports.report import Report
from games.models import Hand


class Handed(Report):
    name = "handed"
    title = "Hands dealt"
    allowed = ("game",)

    def columns(self, by: By) -> list[Column]:
        return [Column("game", "Game"), Column("dealt", "Dealt", "count", "flow")]

    def rows(self, figures: Figures, by: By) -> Iterator[Row]:
        since, until = figures.bounds
        hands = Hand.objects.filter(started_at__gte=since, started_at__lt=until).order_by("game")
        for game, dealt in hands.values_list("game").annotate(Count("pk")):
            yield Row({"game": game, "dealt": dealt})


REPORT = Handed()
