"""Looking back on a finished hand with one of its players: what would have been better, and by how
much.

Each family has a coach that goes through the decisions of the seat and knows at each of them what
the seat knew then: it is given views. The figures are the rules package's own: the odds, the
thirteen-card coach, the planner of Dou Dizhu. Only finished hands come here.
"""

from games.boards.advice import Advice, Path
from games.boards.family import family_of
from games.models import Hand
from games.records.record import every_state
from games.tables.hand_state import moves_of
from wallets.models import Currency


def coach(hand: Hand, seat: int, currency: Currency) -> Advice:
    """Return advice about the decisions of a seat in a finished hand."""
    game, states = every_state(hand)
    moves = moves_of(game, hand.moves.order_by("number"))
    return family_of(game).advise(Path(game, states, moves, seat, currency))
