"""The part of events in the packages below: a source of versions, a section of the lobby."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from tournaments.models import Tournament
from tournaments.overview import listing
from tournaments.overview.listing import EventRow
from wallets.values.player import Viewer


class Versions:
    """The versions of events, which are public."""

    def version_for(self, _viewer: Viewer, number: int) -> int | None:
        return self.versions_of([number]).get(number)

    def versions_of(self, numbers: Iterable[int]) -> Mapping[int, int]:
        found = Tournament.objects.filter(pk__in=list(numbers))
        return dict(found.values_list("pk", "version"))


class InLobby:
    """The next events and those that are played, above the tables."""

    template: str = "tournaments/in_lobby.html"
    place: str = "side"

    def content(self, viewer: Viewer, _now: datetime) -> tuple[EventRow, ...]:
        return listing.for_lobby(viewer)

    def state(self) -> object:
        return listing.state()
