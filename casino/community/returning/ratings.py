"""A rating for each game, of people by the hands that they play with other people.

A hand at a public table is a match whose players finish in the order of their results. The model
is that of Plackett and Luce for two players or more (`openskill`). Bots are left out, a hand
with one person alone is no match, and games against the house have no rating. A hand that is
reversed later keeps its effect, as no result of another player depends on it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from openskill.models import PlackettLuce

from casino.community.returning.models import CountedHand, Rating
from games.rules.catalogue import against_house

MODEL: Final = PlackettLuce()
THOUSANDTHS: Final = 1_000
# A rating is shown from so many hands on. It begins at 1,000, and 40 of it are a step of the model.
HANDS_MIN: Final = 20
BEGINS: Final = 1_000
STEP: Final = 40


def note(rows: Iterable[CountedHand]) -> None:
    """Rate the hands of these rows, in their order; the caller counts each hand once."""
    matches: dict[int, list[CountedHand]] = defaultdict(list)
    for row in rows:
        if row.points is not None and not against_house(row.game):
            matches[row.hand].append(row)
    played = [players for players in matches.values() if len(players) > 1]
    if not played:
        return
    ratings = _ratings_of(played)
    for players in played:
        _rate([ratings[row.player_id, row.game] for row in players], players)
    Rating.objects.bulk_create(
        ratings.values(),
        update_conflicts=True,
        unique_fields=["player", "game"],
        update_fields=["mean", "deviation", "hands"],
    )


def _ratings_of(played: Sequence[Sequence[CountedHand]]) -> dict[tuple[int, str], Rating]:
    """The ratings of all these players, in the order in which rows are locked."""
    keys = {(row.player_id, row.game) for players in played for row in players}
    stored = Rating.objects.filter(player__in={player for player, _game in keys})
    held = {(row.player_id, row.game): row for row in stored}
    return {
        (player, game): held.get((player, game)) or Rating(player_id=player, game=game, **_first())
        for player, game in sorted(keys)
    }


def _first() -> dict[str, int]:
    fresh = MODEL.rating()
    return {"mean": round(fresh.mu * THOUSANDTHS), "deviation": round(fresh.sigma * THOUSANDTHS)}


def _rate(ratings: Sequence[Rating], players: Sequence[CountedHand]) -> None:
    """One match: the player with most points is first, and equal points are a tie."""
    teams = [
        [MODEL.rating(mu=row.mean / THOUSANDTHS, sigma=row.deviation / THOUSANDTHS)]
        for row in ratings
    ]
    rated = MODEL.rate(teams, scores=[float(row.points or 0) for row in players])
    for rating, [after] in zip(ratings, rated, strict=True):
        rating.mean = round(after.mu * THOUSANDTHS)
        rating.deviation = round(after.sigma * THOUSANDTHS)
        rating.hands += 1


def shown(rating: Rating) -> int | None:
    """What a player is at least, as far as is known; None before there are enough hands."""
    if rating.hands < HANDS_MIN:
        return None
    steps = (rating.mean - 3 * rating.deviation) / THOUSANDTHS
    return round(BEGINS + STEP * steps)


def of_player(player_id: int) -> dict[str, int]:
    """The ratings that are shown, by game."""
    rows = Rating.objects.filter(player=player_id)
    values = {row.game: shown(row) for row in rows}
    return {game: value for game, value in values.items() if value is not None}
