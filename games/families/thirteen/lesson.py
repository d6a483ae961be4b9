"""The guided hands of thirteen cards: the learner fills three rows, and they are compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.families.lesson import (
    CARDS,
    LEARNER,
    NEXT,
    OK,
    Advice,
    Button,
    Stand,
    Words,
    cards_in,
    dealing_order,
)
from games.families.thirteen.help import foul
from games.rules.cards import Card, parse_cards
from games.rules.contract import SeatStack
from games.rules.errors import Illegal
from games.rules.thirteen.banking import ThirteenHongkong, ThirteenPhilippine
from games.rules.thirteen.chinese_poker import ChinesePoker
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.state import (
    Arrange,
    Bet,
    Exchange,
    ThirteenContext,
    ThirteenState,
    order_from_left,
)
from games.rules.thirteen.taiwan import ThirteenTaiwan

CardRow = tuple[Card, ...]

STACK: Final = 20_000
BET: Final = 1_000
THREE: Final = MappingProxyType({2: "Mei", 3: "Old Wu"})
FOUR: Final = MappingProxyType({**THREE, 4: "Chun"})
ROW_SIZE: Final = 5
HAND: Final = parse_cards("AsTs8s6s3s5h6d7c8h9dKhKd4c")


def _rows(front: str, middle: str, back: str) -> Arrange:
    return Arrange(parse_cards(front), parse_cards(middle), parse_cards(back))


OTHER_ROWS: Final = {
    2: _rows("Ac9s5c", "JhJdTc8d4s", "QhQdQc7s7h"),
    3: _rows("4h4dJc", "3h3d2s2h9c", "TdJsQsKcAd"),
    4: _rows("AhKs6h", "5d5s2c2d3c", "6c7d8c9hTh"),
}
ADVICE: Final = (
    Advice(
        _(
            "You have thirteen cards and put them into three rows: five in the back, five in the "
            "middle, three in the front. The back must be the strongest and the front the weakest. "
            "Begin with the back: the five spades are a flush. Choose them."
        ),
        "AsTs8s6s3s",
    ),
    Advice(
        _(
            "The middle may be anything that the back beats. Five in a row are a straight, which "
            "is just below a flush: choose 5 6 7 8 9."
        ),
        "5h6d7c8h9d",
    ),
    Advice(
        _(
            "Three cards are left for the front: a pair of kings with a 4, which is a strong "
            "front. Compare the rows once more: back over middle over front. Then show them."
        ),
        OK,
    ),
)
INTO: Final = (_("Into the back"), _("Into the middle"))
SHOW: Final = _("Show the rows")
# Where the learner has chosen another back, or another middle.
OWN_WAY: Final = (
    _(
        "That is possible, too. Now choose five of the others for the middle; they must be weaker "
        "than the back."
    ),
    _(
        "Compare your rows: the back must beat the middle, and the middle the front. Then show "
        "them."
    ),
)
FOUL: Final = _(
    "Look again: these rows are out of order, which is a foul and loses every row. The back must "
    "beat the middle, and the middle the front. You can begin again."
)
OTHER_WAY: Final = _(
    "These rows are allowed, too. A flush behind a straight, with the pair of kings in front, was "
    "better: it wins five of the six comparisons."
)
# The texts when all rows are open, one after the other; and the row that it is about.
READ: Final = (
    (
        _(
            "Now everybody shows, and each row is compared with the same row of each other player. "
            "Front: your pair of kings beats Mei's ace and Old Wu's pair of fours. Two rows won."
        ),
        "front",
    ),
    (
        _("Middle: your straight beats Mei's pair of jacks and Old Wu's two pairs. Two more."),
        "middle",
    ),
    (
        _(
            "Back: your flush beats Old Wu's straight, but Mei has a full house, which is higher. "
            "One row won, one lost."
        ),
        "back",
    ),
)
END: Final = _(
    "A row is worth a point, and the player who wins more rows of a comparison gets one point"
    " more. Below is every line of it; the house takes its share of what you win."
)


@dataclass(frozen=True)
class ThirteenLesson:
    """The hand as authored above, played in one manner; it has no state."""

    game: ThirteenGame = field(default_factory=ChinesePoker)
    others: Mapping[int, str] = field(default_factory=lambda: THREE)
    # Who holds the bank, if anybody does; the others have bet against it.
    banker: int | None = None
    # What is said of the manner of play first, when the rows are read, and at the end.
    manner: Words = ""
    read: Sequence[tuple[Words, str]] = READ
    end: Words = END
    other_way: Words = OTHER_WAY

    @property
    def steps(self) -> int:
        return len(ADVICE) + len(self.read) + 1

    def stand(self, picks: Sequence[str]) -> Stand:
        chosen, shows, read = picks[:2], picks[2:3], picks[3:]
        if any(pick != OK for pick in (*shows, *read)) or len(read) > len(self.read):
            raise Illegal("not_now", "That cannot be done at this point of the hand.")
        rows, left = _chosen(chosen)
        as_advised = all(
            set(row) == set(cards_in(advice.pick))
            for row, advice in zip(rows, ADVICE, strict=False)
        )
        state = self._opened()
        if not shows:
            return self._arranging(state, rows, left, as_advised=as_advised)
        state = self.game.apply(state, LEARNER, Arrange(left, rows[1], rows[0]))
        return self._compared(state, len(read), as_advised=as_advised)

    def _opened(self) -> ThirteenState:
        """The others have arranged already: they do not wait for the learner."""
        seats = (LEARNER, *self.others)
        held = {LEARNER: HAND, **{seat: _hand_of(OTHER_ROWS[seat]) for seat in self.others}}
        hands = [held[seat] for seat in order_from_left(seats, self.banker or seats[-1])]
        stakes = [SeatStack(seat, STACK) for seat in seats]
        context = ThirteenContext(banker=self.banker)
        state = self.game.open(stakes, dealing_order(hands), context)
        if self.banker is not None:
            for seat in seats:
                if seat != self.banker:
                    state = self.game.apply(state, seat, Bet(BET))
            if state.phase == "exchange":
                state = self.game.apply(state, self.banker, Exchange(0))
        for seat in self.others:
            state = self.game.apply(state, seat, OTHER_ROWS[seat])
        return state

    def _arranging(
        self, state: ThirteenState, rows: Sequence[CardRow], left: CardRow, *, as_advised: bool
    ) -> Stand:
        advice, shows = ADVICE[len(rows)], len(rows) == len(ADVICE) - 1
        remark: Words = ""
        if shows and foul(self.game, Arrange(left, rows[1], rows[0])):
            remark = FOUL
        return Stand(
            state,
            self.game.view(state, LEARNER),
            "ok" if shows else "pick",
            self._advised(advice, first=not rows) if as_advised else OWN_WAY[len(rows) - 1],
            advised=cards_in(advice.pick) if as_advised and not shows else (),
            offered=left,
            advised_pick=advice.pick if as_advised else OK if shows else "",
            rows=tuple(rows),
            buttons=(Button(OK, SHOW) if shows else Button(CARDS, INTO[len(rows)]),),
            remark=remark,
        )

    def _advised(self, advice: Advice, *, first: bool) -> Words:
        return format_lazy("{} {}", self.manner, advice.words) if first else advice.words

    def _compared(self, state: ThirteenState, read: int, *, as_advised: bool) -> Stand:
        view = self.game.view(state, LEARNER)
        if not as_advised:
            return Stand(state, view, "over", self.end, remark=self.other_way)
        if read == len(self.read):
            return Stand(state, view, "over", self.end)
        words, row = self.read[read]
        return Stand(state, view, "ok", words, advised_pick=OK, buttons=(NEXT,), row=row)


def _chosen(picks: Sequence[str]) -> tuple[list[CardRow], CardRow]:
    """The rows that are chosen so far, the back first, and the cards that are left."""
    rows: list[CardRow] = []
    left = HAND
    for pick in picks:
        row = cards_in(pick)
        if len(row) != ROW_SIZE or len(set(row)) != ROW_SIZE or not set(row) <= set(left):
            raise Illegal("five_for_a_row", "This row takes five of your cards.")
        rows.append(row)
        left = tuple(card for card in left if card not in row)
    return rows, left


def _hand_of(rows: Arrange) -> CardRow:
    return (*rows.front, *rows.middle, *rows.back)


BANKER: Final = 2
ALLOWED_TOO: Final = _(
    "These rows are allowed, too. A flush behind a straight, with the pair of kings in front, was "
    "better."
)
# Against a banker, and among four players.
AGAINST_MEI: Final[tuple[tuple[Words, str], ...]] = (
    (
        _(
            "Now everybody shows, and your rows are compared with Mei's alone. Front: your pair of "
            "kings beats her ace. One row won."
        ),
        "front",
    ),
    (_("Middle: your straight beats Mei's pair of jacks. Another one."), "middle"),
    (_("Back: Mei's full house beats your flush. Two rows won, one lost."), "back"),
)
BET_PAYS: Final = _(
    "A row won is one bet, and some rows earn more, such as three of a kind in front. Below is "
    "every line of it; the house takes its share of what you win."
)
AMONG_FOUR: Final[tuple[tuple[Words, str], ...]] = (
    (
        _(
            "Now everybody shows, and each row is compared with the same row of each other player. "
            "Front: your pair of kings beats Old Wu's pair of fours, and the aces of Mei and Chun. "
            "Three rows won."
        ),
        "front",
    ),
    (
        _(
            "Middle: your straight beats Mei's pair of jacks, and the two pairs of Old Wu and "
            "Chun. Three more."
        ),
        "middle",
    ),
    (
        _(
            "Back: your flush beats the straights of Old Wu and Chun, but Mei has a full house, "
            "which is higher. Two rows won, one lost."
        ),
        "back",
    ),
)
SCOOPS: Final = _(
    "You have won all three rows from Old Wu, and from Chun: each is a scoop, and they pay double. "
    "Below is every line of it; the house takes its share of what you win."
)

CHINESE_POKER: Final = ThirteenLesson()
HONGKONG: Final = ThirteenLesson(
    ThirteenHongkong(),
    banker=BANKER,
    manner=_("Mei is the banker, and you have bet 10 against her."),
    read=AGAINST_MEI,
    end=BET_PAYS,
    other_way=ALLOWED_TOO,
)
PHILIPPINE: Final = ThirteenLesson(
    ThirteenPhilippine(),
    FOUR,
    banker=BANKER,
    manner=_(
        "Mei is the banker, and you have bet 10 against her. She may have all players exchange "
        "cards before they arrange them; this time she does not."
    ),
    read=AGAINST_MEI,
    end=BET_PAYS,
    other_way=ALLOWED_TOO,
)
TAIWAN: Final = ThirteenLesson(
    ThirteenTaiwan(),
    FOUR,
    manner=_("Four players sit here, each against each."),
    read=AMONG_FOUR,
    end=SCOOPS,
    other_way=ALLOWED_TOO,
)
FUJIAN: Final = ThirteenLesson(
    ThirteenFujian(jokers=0),
    FOUR,
    manner=_("Four players sit here, each against each, and this time without jokers."),
    read=AMONG_FOUR,
    end=SCOOPS,
    other_way=ALLOWED_TOO,
)
