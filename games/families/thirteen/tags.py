"""Template tags for the end of a hand of thirteen cards, and for the cards of an exchange."""

from collections import Counter
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n
from markupsafe import Markup

from games.boards.pieces.engine import joined, remembered
from games.families.thirteen.showdowns import Showdown, gift_goes_to, showdown
from games.models import Hand, HandSeat, Table
from games.rules.cards import Card
from games.rules.thirteen.view import ThirteenView
from games.words.naming import card_sign, row_term
from wallets.values.player import Viewer

FEATS: Final = {
    "home_run": _n("Sweep of the table: {winner} wins every row from every opponent"),
    "gun": _n("{winner} scoops {losers}: all three rows"),
    "roll_over": _n("{winner} loses no row to {losers}"),
    "natural": _n("{winner} wins with a natural from {losers}"),
    "dragon_over_all": _n("{winner} has the dragon, doubled"),
}


class Latest(NamedTuple):
    """The hand that a template was last about, and how it ended."""

    view: ThirteenView
    lines: Any
    ended: Showdown | None


# Each place of a board and its middle ask about one hand, one after another. Worked out once
# instead of five times, a board at the end of a hand costs half of what it did.
_LATEST: Final[ContextVar[Latest | None]] = ContextVar("_LATEST", default=None)


def showdown_of(view: ThirteenView | None, lines: Any) -> Showdown | None:
    """The end of the hand; `None` while it runs, or before the first."""
    if not view:
        return None
    latest = _LATEST.get()
    if latest is None or latest.view is not view or latest.lines is not lines:
        latest = Latest(view, lines, showdown(view, lines or ()))
        _LATEST.set(latest)
    return latest.ended


def last_hand(table: Table, user: Viewer) -> int | None:
    if not user.is_authenticated:
        return None
    played = HandSeat.objects.filter(
        player=user.pk, hand__table=table, hand__status=Hand.Status.FINISHED
    )
    return played.order_by("-hand_id").values_list("hand_id", flat=True).first()


def receiver(view: ThirteenView) -> int | None:
    """The seat that the viewer's three cards go to."""
    return gift_goes_to(view)


def shown_by(ended: Showdown | None, seat: int) -> object:
    return ended.of(seat) if ended else None


def is_dealt_in(view: Any, seat: int) -> bool:
    """Whether a seat plays in the hand that is shown."""
    return any(stake.seat == seat for stake in view.stakes)


def feat(mark: str, seat: int, others: Any, names: dict[int, str]) -> str:
    """The announcement of a feat: a shot or a home run."""
    losers = _(", ").join(names.get(other, str(other)) for other in others)
    return _(FEATS[mark]).format(winner=names.get(seat, seat), losers=losers)


def sign(text: str) -> str:
    """A card in words: its rank and suit."""
    return card_sign(text)


def size(number: int) -> int:
    """Return a number without its sign."""
    return abs(number)


def grouped(row: Any) -> list[Card]:
    """The cards of a row: what is held most often first, then the highest."""
    often = Counter(card.rank for card in row)
    return sorted(row, key=lambda card: (often[card.rank], card.rank, card.suit), reverse=True)


def slots(cards: Any, rows: dict[Card, str], row: str, received: Any) -> Markup:
    """Those of one's cards that lie in a row, or, without a row, in the hand."""
    return joined(
        remembered("families/thirteen/slot.html", one=card, row=row, received=card in received)
        for card in cards
        if rows.get(card, "") == row
    )


# The filters and functions of templates, by name.
FILTERS: Final = {
    function.__name__: function
    for function in (row_term, shown_by, is_dealt_in, sign, size, grouped)
}
FUNCTIONS: Final = {
    "showdown": showdown_of,
    **{function.__name__: function for function in (last_hand, receiver, feat, slots)},
}
