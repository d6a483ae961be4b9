"""The answers of pages to requests that are refused."""

from typing import Final, NamedTuple

from django.http import Http404

from games.words.refusal import Hidden
from games.words.refusals import code_of, sentence_of, status_of
from wallets.models import Currency

# The requests that come from the bar of moves.
AT_MOVES: Final = frozenset(("act", "again", "ready", "next-bets"))


class Refusal(NamedTuple):
    """A refusal as a page shows it: beside what caused it, with its status."""

    cause: str
    status: int
    code: str
    sentence: str

    @property
    def at_moves(self) -> bool:
        """Whether it belongs beside what the player does in the hand, and not beside their seat."""
        return self.cause in AT_MOVES


def refusal_of(error: Exception, cause: str, currency: Currency | None = None) -> Refusal:
    """The refusal as a page shows it; what is hidden from the reader answers 404."""
    if isinstance(error, Hidden):
        raise Http404(sentence_of(error))
    return Refusal(cause, status_of(error), code_of(error), sentence_of(error, currency))
