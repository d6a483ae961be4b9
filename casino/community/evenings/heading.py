"""The heading of an evening's table and of the page of its link: how far it is, the scores."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from casino.community.evenings import scores
from casino.community.evenings.hosting import options_to_choose
from casino.community.evenings.models import Evening
from games.models import Table
from games.profiles.options import show
from games.rules.catalogue import game_type
from games.tables.formats import Heading
from games.views.private import invitation_address
from games.words.naming import player_title
from games.words.podium import PLACES_SHOWN, Placed
from wallets.models import Currency
from wallets.values.amounts import show_signed
from wallets.values.player import Viewer

TEMPLATE: Final = "evenings/heading.html"
HEAD: Final = "evenings/heading_head.html"
INVITATION: Final = "evenings/invitation.html"


class AtTable(NamedTuple):
    """An evening as the page of its table shows it."""

    table_id: int
    title: str
    # The host's name, and the game with the options that they have chosen.
    host: str
    game: str
    options: Mapping[str, Any]
    stake: int
    invitation: str
    hands: int
    played: int
    # Whether it is over, and the last hand with it.
    is_over: bool
    scores: Sequence[scores.Score]
    # Once it is over, the scores shown on the podium.
    podium: Sequence[Placed]
    # The viewer's number, if they are signed in.
    me: int | None
    takes_part: bool
    # The evening that follows it.
    rematch: str
    # How many seats have to be taken before the first hand.
    missing: int
    # Whether the viewer can let it begin with the players who are there.
    may_begin: bool

    @property
    def terms(self) -> list[tuple[str, str]]:
        """The options of the game in words."""
        return [
            (str(option.label), show(option, self.options.get(option.name), Currency()))
            for option in options_to_choose(self.game)
        ]


def heading(evening: Evening, viewer: Viewer) -> Heading:
    table = evening.table
    board, played = scores.scoreboard(table.pk), scores.counted(table.pk)
    takes_part = table.opened_by_id == viewer.pk or any(
        score.player_id == viewer.pk for score in board
    )
    over = table.status != Table.Status.OPEN or played >= evening.hands
    missing, may_begin = 0, False
    if not (played or over or evening.begun_at or table.hand_id):
        seated = table.seats.filter(left_at=None).count()
        missing = table.places - seated
        least = game_type(table.game).seats[0]
        may_begin = table.opened_by_id == viewer.pk and least <= seated < table.places
    follows = evening.rematch.table if evening.rematch and takes_part else None
    opener = table.opened_by
    event = AtTable(
        table.pk,
        table.title,
        player_title(opener.username, opener.is_bot) if opener else "",
        table.game,
        table.options,
        evening.stake,
        table.invitation,
        evening.hands,
        min(played, evening.hands),
        over and table.hand_id is None,
        board,
        _podium(board, table) if over and table.hand_id is None else (),
        viewer.pk if viewer.is_authenticated else None,
        takes_part,
        invitation_address(follows) if follows else "",
        missing,
        may_begin,
    )
    return Heading(TEMPLATE, HEAD, event, INVITATION)


def _podium(board: Sequence[scores.Score], table: Table) -> Sequence[Placed]:
    return [
        Placed(
            score.place,
            score.player_id,
            score.name,
            score.face,
            is_bot=False,
            brings=show_signed(score.points, table.currency),
        )
        for score in board[:PLACES_SHOWN]
    ]
