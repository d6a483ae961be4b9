"""The audit of series: standings, counted events and finalists, computed again from the entries."""

from collections.abc import Iterator

from tournaments.models import Series, SeriesStanding, Ticket, Tournament
from tournaments.running import series as running
from wallets.storage.replica import snapshot


def findings(series: Series) -> Iterator[tuple[str, str]]:
    """The codes and sentences of what is stored of a series and does not follow from its events."""
    with snapshot():
        yield from list(_events(series))
        yield from list(_standings(series))
        yield from list(_tickets(series))


def _events(series: Series) -> Iterator[tuple[str, str]]:
    for number, event in enumerate(series.events.select_related("tournament"), 1):
        if event.number != number:
            yield "series_event", f"event {event.number} is its event {number}"
        held = event.tournament
        if event.counted_at is not None and not held.is_over:
            yield "series_counted", f"event {number} is counted, and is not over"
        is_finished = held.state == Tournament.State.FINISHED
        if is_finished and event.counted_at is None and _ended_before(held, series):
            yield "series_counted", f"event {number} is over, and is not counted"


def _ended_before(event: Tournament, series: Series) -> bool:
    """Whether an event that is over ended while the series was played."""
    assert event.ended_at is not None, "it is over"
    return series.ended_at is None or event.ended_at < series.ended_at


def _standings(series: Series) -> Iterator[tuple[str, str]]:
    rows = SeriesStanding.objects.filter(series=series).values_list(
        "player", "place", "points", "events"
    )
    stored = {player: tuple(figures) for player, *figures in rows}
    due = {
        standing.player: (standing.place, standing.points, len(standing.scored))
        for standing in running.computed(series)
    }
    for player in sorted(stored.keys() | due.keys()):
        if stored.get(player) != due.get(player):
            yield (
                "series_standing",
                f"player {player} has {stored.get(player)}, and the events give {due.get(player)}",
            )


def _tickets(series: Series) -> Iterator[tuple[str, str]]:
    """The finalists, and nobody else, got a ticket to the final."""
    given = Ticket.objects.filter(source=series.reference)
    players = sorted(given.values_list("player", flat=True))
    if series.ended_at is None:
        if players:
            yield "series_ticket", "it has given tickets, and has not ended"
        return
    due = sorted(running.finalists(series, running.computed(series)))
    if players and players != due:
        yield "series_ticket", f"its tickets went to {players}, and its finalists are {due}"
    if not players and due and _was_open(series):
        yield "series_ticket", "its finalists got no ticket"
    if given.exclude(tournament=series.final_id).exists():
        yield "series_ticket", "it has given a ticket to another event than its final"


def _was_open(series: Series) -> bool:
    """Whether the final had not ended when the series did."""
    final = series.final
    assert series.ended_at is not None, "it has ended"
    return final is not None and (final.ended_at is None or final.ended_at > series.ended_at)
