"""How a reader and another player stand against each other, in the hands that both have played.

Only games among players have a winner between two of them: against the house each plays alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Count, F, OuterRef, Q, Subquery

from casino.community.returning.models import CountedHand
from games.rules.catalogue import GAMES, against_house
from games.words.naming import GAME_NAMES


class Score(NamedTuple):
    """The hands of a game that the reader won and the other did not, and the other way round."""

    name: str
    sign: str
    # Of its group.
    cloth: str
    mine: int
    theirs: int

    @property
    def hands(self) -> int:
        return self.mine + self.theirs


class FaceToFace(NamedTuple):
    games: Sequence[Score]

    @property
    def mine(self) -> int:
        return sum(score.mine for score in self.games)

    @property
    def theirs(self) -> int:
        return sum(score.theirs for score in self.games)


def between(reader_id: int, player_id: int) -> FaceToFace | None:
    """Hands won against each other by game, most hands first; None without any."""
    if reader_id == player_id:
        return None
    of_the_other = CountedHand.objects.filter(player=player_id, hand=OuterRef("hand"))
    apart = (
        CountedHand.objects.filter(player=reader_id)
        .annotate(other_won=Subquery(of_the_other.values("won")[:1]))
        .filter(other_won__isnull=False)
        .exclude(won=F("other_won"))
    )
    counted = apart.values("game").annotate(
        mine=Count("pk", filter=Q(won=True)), theirs=Count("pk", filter=Q(won=False))
    )
    scores = [
        Score(
            str(GAME_NAMES[row["game"]]),
            GAMES[row["game"]].sign,
            GAMES[row["game"]].group.key,
            row["mine"],
            row["theirs"],
        )
        for row in counted.order_by("game")
        if not against_house(row["game"])
    ]
    return FaceToFace(sorted(scores, key=lambda score: -score.hands)) if scores else None
