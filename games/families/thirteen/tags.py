"""Template tags for the end of a hand of thirteen cards, and for the cards of an exchange."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n
from markupsafe import Markup

from games.boards.pieces.engine import joined, remembered
from games.families.thirteen.help import row_words
from games.models import Hand, HandSeat, Table
from games.rules.cards import Card
from games.rules.poker import Ranking, standing_for
from games.rules.settlement import StoredLine
from games.rules.thirteen.exchanging import PLACES_ON
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.showdown import ROW_NAMES, row_value
from games.rules.thirteen.view import ShownHand, ThirteenView
from games.words.naming import card_sign, row_term
from wallets.values.player import Viewer

# All of it follows from cards that are public by then: the rows in the view, and the lines of the
# settlement, which between any two seats add up to what moved between their stacks.

# The lines that tell who won a row, and those for which a seat is given a mark.
ROW_LINES: Final = frozenset(("row", "royalty", "foul_row", "foul_royalty"))
MARKS: Final = ("natural", "gun", "roll_over", "home_run", "dragon_over_all")
# The key of transfers outside the three rows.
BESIDE: Final = "beside"
# Jokers are played in the Fujian manner only.
JOKER_RANKS: Final = ThirteenFujian().ranks


class RowView(NamedTuple):
    """One row on the table: each card with the card it counts as, and the points it has won.

    A viewer who played reads a rival's row as they themselves did against it: `sign` is theirs.
    """

    name: str
    cards: tuple[tuple[Card, Card | None], ...]
    category: str
    points: int
    sign: int
    beaten: bool = False

    @property
    def words(self) -> str:
        ranks = ((other or card).rank for card, other in self.cards)
        return row_words(self.category, ranks)


class SeatShown(NamedTuple):
    """One seat at the showdown: its rows, its wins from each opponent, and its marks."""

    seat: int
    foul: bool
    natural: str
    hand: tuple[Card, ...]
    rows: tuple[RowView, ...]
    # Money, by the other's seat; nothing where the two were not compared.
    won: dict[int, int]
    total: int
    # For each kind of mark, the seats that it was won from.
    marks: dict[str, tuple[int, ...]]
    # The marks beside its points, each with from how many seats. A viewer who played reads their
    # own points against a rival there, so of a rival they are those won from them or by them.
    badges: dict[str, int]
    # From the viewer's side: what they won from this seat, in how many rows, and who shot whom.
    against: int | None = None
    rows_won: int = 0
    rows_lost: int = 0
    scoop: str = ""


class PairView(NamedTuple):
    """Two seats compared: the first one's win by row, outside the rows, and in total."""

    first: int
    second: int
    rows: tuple[int, ...]
    beside: int
    total: int


class Showdown(NamedTuple):
    """The end of a hand, the viewer first."""

    seats: tuple[SeatShown, ...]
    pairs: tuple[PairView, ...]

    def of(self, seat: int) -> SeatShown | None:
        return next((shown for shown in self.seats if shown.seat == seat), None)

    @property
    def feats(self) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
        """The feats that a table announces: shots and home runs."""
        return tuple(
            (mark, shown.seat, shown.marks[mark])
            for mark in reversed(MARKS)
            for shown in self.seats
            if mark in shown.marks
        )


def showdown(view: ThirteenView, lines: Sequence[StoredLine]) -> Showdown | None:
    """Return how the hand ended; `None` while it runs."""
    if not view.shown:
        return None
    seats = [shown.seat for shown in view.shown]
    at = seats.index(view.seat) if view.seat in seats else 0
    order = seats[at:] + seats[:at]
    moved = [line for line in lines if line["source"].isdecimal() and line["target"].isdecimal()]
    shown = {hand.seat: hand for hand in view.shown}
    viewer = view.seat if view.seat in shown else None
    return Showdown(
        tuple(_seat(shown[seat], moved, viewer) for seat in order),
        tuple(_pairs(order, moved)),
    )


def _seat(shown: ShownHand, lines: Sequence[StoredLine], viewer: int | None) -> SeatShown:
    seat = shown.seat
    won: Counter[int] = Counter()
    points: Counter[str] = Counter()
    mine: Counter[str] = Counter()
    marks: dict[str, list[int]] = {}
    shot_by: list[int] = []
    for line in lines:
        sign, other = _side(line, seat)
        if not sign:
            continue
        won[other] += sign * line["amount"]
        if line["key"] in ROW_LINES:
            points[line["values"]["row"]] += sign * line["values"]["points"]
            if other == viewer:
                mine[line["values"]["row"]] -= sign * line["values"]["points"]
        if sign > 0 and line["key"] in MARKS:
            marks.setdefault(line["key"], []).append(other)
        if sign < 0 and line["key"] == "gun":
            shot_by.append(other)
    # A natural is shown as it was dealt.
    arranged = shown.arranged.rows if shown.categories else ()
    is_rival = viewer not in (None, seat)
    rows = tuple(
        RowView(
            name,
            row_cards(cards),
            category,
            points[name],
            sign=mine[name] if is_rival else points[name],
            beaten=mine[name] > 0,
        )
        for name, cards, category in zip(ROW_NAMES, arranged, shown.categories, strict=False)
    )
    badges = marks | {"shot": shot_by}
    if is_rival:
        badges = {mark: [other for other in badges[mark] if other == viewer] for mark in badges}
    return SeatShown(
        seat=seat,
        foul=shown.foul,
        natural=shown.natural or "",
        hand=shown.hand,
        rows=rows,
        won=dict(won),
        total=sum(won.values()),
        marks={mark: tuple(others) for mark, others in marks.items()},
        badges={mark: len(others) for mark, others in badges.items() if others},
        against=-won[viewer] if viewer is not None and is_rival else None,
        rows_won=sum(count > 0 for count in mine.values()),
        rows_lost=sum(count < 0 for count in mine.values()),
        scoop="won" if viewer in shot_by else "lost" if viewer in marks.get("gun", ()) else "",
    )


def _side(line: StoredLine, seat: int) -> tuple[int, int]:
    """1 if the seat gets a line's amount, -1 if it pays it; and the other party."""
    source, target = int(line["source"]), int(line["target"])
    if target == seat:
        return 1, source
    return (-1, target) if source == seat else (0, 0)


def _pairs(order: Sequence[int], lines: Sequence[StoredLine]) -> Iterable[PairView]:
    for at, first in enumerate(order):
        for second in order[at + 1 :]:
            moved: Counter[str] = Counter()
            between = [line for line in lines if _side(line, first)[1] == second]
            for line in between:
                of_row = line["key"] in ROW_LINES
                moved[line["values"]["row"] if of_row else BESIDE] += (
                    _side(line, first)[0] * line["amount"]
                )
            if between:
                rows = tuple(moved[name] for name in ROW_NAMES)
                yield PairView(first, second, rows, moved[BESIDE], sum(moved.values()))


def row_cards(
    cards: Sequence[Card], ranks: Ranking = JOKER_RANKS
) -> tuple[tuple[Card, Card | None], ...]:
    """A row in display order: pairs and sets first, each joker with the card it replaces."""
    jokers: dict[Card, Card] = {}
    if any(card.is_joker for card in cards):
        jokers = standing_for(row_value(cards, ranks), cards)
    often = Counter(jokers.get(card, card).rank for card in cards)

    def place(card: Card) -> tuple[int, int, int]:
        played = jokers.get(card, card)
        return often[played.rank], played.rank, played.suit

    return tuple((card, jokers.get(card)) for card in sorted(cards, key=place, reverse=True))


def gift_goes_to(view: ThirteenView) -> int | None:
    """The seat that the viewer's three cards go to in an exchange."""
    seats = [stake.seat for stake in view.stakes]
    if view.direction is None or view.seat not in seats:
        return None
    return seats[(seats.index(view.seat) + PLACES_ON[view.direction]) % len(seats)]


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
