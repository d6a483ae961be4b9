"""The facts about a table that a page shows in other ways than a program needs: the legal plays,
the help as actions, whom the table waits for, and the seats that one could take.

All of it is worked out from what the viewer's own view holds, and the plays and the help only when
they are asked for: an action costs no more for them.
"""

from typing import NamedTuple

from games.boards.family import family_of
from games.boards.help import Hint
from games.boards.table_view import TableView
from games.tables.hand_state import game_of


class Help(NamedTuple):
    """The legal plays where the choices do not name each, and what the house advises."""

    plays: tuple[Hint, ...] = ()
    suggestions: tuple[Hint, ...] = ()


def gives_hints(snapshot: TableView) -> bool:
    """Whether the viewer, at a table against the house, can be told what the strategy would do."""
    may_decide = bool(snapshot.choices) and not snapshot.is_betting
    return may_decide and snapshot.table.hints_allowed


def help_for(snapshot: TableView) -> Help:
    """All help with the viewer's decision; none where there is none to make."""
    if snapshot.hand is None or snapshot.view is None or not snapshot.choices:
        return Help()
    game = game_of(snapshot.hand)
    family = family_of(game)
    may = gives_hints(snapshot) or not game.against_house
    return Help(
        tuple(family.plays(game, snapshot.view)),
        tuple(family.advised(game, snapshot.view)) if may else (),
    )


def free_seats(snapshot: TableView) -> tuple[int, ...]:
    """The seats that a person could take: free seats, and those that a bot would give up."""
    bots = (seat.number for seat in snapshot.seats if seat.is_bot and not seat.leaves)
    return tuple(sorted((*snapshot.free, *bots)))


def waits_for(snapshot: TableView) -> tuple[int, ...]:
    """The seats that the table waits for until their time is up.

    While bets are placed the table does not wait for a seat without one; between two hands, the
    table waits until those who play on have read the result.
    """
    own, between = snapshot.own, snapshot.own.between
    if between is None:
        return snapshot.public.waits_for
    mine = [own.seat.number] if own.seat and not between.ready else []
    return tuple(sorted((*between.others, *mine)))


def is_done(snapshot: TableView) -> bool:
    """Whether the viewer has ended their betting, or is ready for the next hand."""
    if snapshot.between is not None:
        return snapshot.between.ready
    own = getattr(snapshot.view, "seat", None)
    return own is not None and own in getattr(snapshot.view, "done", ())
