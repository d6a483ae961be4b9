"""The guided hand of Dou Dizhu: the learner calls three, leads, bombs, and wins as the landlord.

As long as the learner plays as advised, the others play as written here. Otherwise all seats follow
the hint that a table gives: the others play by it, and the learner is advised by it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.boards.labels import LABELS
from games.families.doudizhu.family import FAMILY
from games.families.doudizhu.help import hint_of
from games.families.lesson import (
    CARDS,
    LEARNER,
    PASS,
    Advice,
    Button,
    Stand,
    Words,
    cards_in,
    dealing_order,
    pick_of,
)
from games.rules.cards import Card, parse_cards
from games.rules.contract import Action, SeatStack
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.ranks import in_order
from games.rules.doudizhu.state import (
    CALL_MAX,
    Call,
    DoudizhuContext,
    DoudizhuState,
    DoudizhuView,
    Pass,
    Play,
)
from games.rules.errors import Illegal

STACK: Final = 20_000
CALL: Final = "call"
# The hands of the seats in their order, and the three cards in the middle.
HANDS: Final = tuple(
    map(
        parse_cards,
        (
            "3h4s5d6c7h8sQsQhQdQcJsJd9h9sKh2sRJ",
            "3s3d4h4d5s6s6h7s8h8dTsThJhKsAsAh2h",
            "3c4c5h5c6d7d7c8c9dTdJcKcAdAc2d2cBJ",
        ),
    )
)
MIDDLE: Final = parse_cards("Kd9cTc")
# The acts of the others after each advised step, in their turn.
REPLIES: Final[tuple[tuple[str, ...], ...]] = (
    (),
    (PASS, PASS),
    ("AsAh", PASS),
    (PASS, PASS),
    (PASS, PASS),
    ("Ks", PASS),
    (PASS, "BJ"),
    (),
)
ADVICE: Final = (
    Advice(
        _(
            "Three play: one landlord against two farmers. The first to run out of cards wins for "
            "their side. The call decides who is landlord. You hold the big joker and four queens: "
            "call 3."
        ),
        "call3",
        _("With such a hand 3 was the better call: it makes you the landlord at once."),
    ),
    Advice(
        _(
            "You are the landlord: the three middle cards are yours, and you lead. Long plays rid "
            "you of many cards. Lead the straight from 3 to 8: five cards in a row, or more."
        ),
        "3h4s5d6c7h8s",
        _("The straight from 3 to 8 was better: six small cards at once, hard to beat."),
    ),
    Advice(
        _("Both passed, so you lead again. Play the pair of jacks: two cards of one rank."),
        "JsJd",
        _("The pair of jacks was better: low pairs go while you have the lead."),
    ),
    Advice(
        _(
            "You must beat a pair of aces, and your kings are too low. But four of a rank are a "
            "bomb: it beats everything except a higher bomb and the two jokers together, and "
            "doubles what the hand is worth. Play the four queens."
        ),
        "QsQhQdQc",
        _("The bomb was better: it takes the lead back and doubles your win."),
    ),
    Advice(
        _("You have the lead again. Three of a rank can take a pair along: play 9 9 9 with K K."),
        "9h9s9cKhKd",
        _("Three nines with the pair of kings were better: five cards gone in one play."),
    ),
    Advice(
        _("Three cards are left, and two of them are high. Play the 10, the one that is low."),
        "Tc",
        _("The 10 was better: keep the high cards to win the lead back with."),
    ),
    Advice(
        _(
            "You must beat a king. The order is 3 up to king, ace, 2, small joker, big joker: play "
            "the 2."
        ),
        "2s",
        _("Either of your last cards wins here."),
    ),
    Advice(
        _(
            "You must beat the small joker, and you hold the big one: nothing is higher. Play "
            "it and win."
        ),
        "RJ",
    ),
)
WON: Final = _(
    "You are out of cards, and the landlord wins. Each farmer pays the base score times your call, "
    "doubled by each bomb. Below is every line of it."
)
LOST: Final = _("This time the other side was out of cards first. Below is what it cost.")
PASSED_OUT: Final = _("No player has called, so no one pays, and the cards are dealt again.")
CALL_AGAIN: Final = _("Call higher than the others to become the landlord, or let them.")
WON_AS_FARMER: Final = _(
    "A farmer is out of cards first, so the landlord pays both. Below is every line of it."
)
POINTS: Final = tuple(map(str, range(CALL_MAX + 1)))


class DoudizhuLesson:
    """The hand as authored above; it has no state."""

    game: Doudizhu = Doudizhu()
    others: Mapping[int, str] = MappingProxyType({2: "Mei", 3: "Old Wu"})
    steps: int = len(ADVICE) + 1

    def stand(self, picks: Sequence[str]) -> Stand:
        state, as_advised = self._opened(), True
        remark: Words = ""
        for number, pick in enumerate(picks):
            action = _action(pick)
            state, remark = self.game.apply(state, LEARNER, action), ""
            if as_advised and action != _action(ADVICE[number].pick):
                as_advised, remark = False, ADVICE[number].why
            state = self._answered(state, REPLIES[number] if as_advised else ())
        view = self.game.view(state, LEARNER)
        if state.phase == "over":
            return Stand(state, view, "over", _end(state), remark=remark)
        advice = ADVICE[len(picks)] if as_advised else self._advice(view)
        return Stand(
            state,
            view,
            "pick",
            advice.words,
            advised=_cards(advice.pick),
            offered=tuple(reversed(in_order(view.hand))),
            advised_pick=advice.pick,
            buttons=_buttons(self.game, view),
            remark=remark,
        )

    def _opened(self) -> DoudizhuState:
        stakes = [SeatStack(seat, STACK) for seat in (LEARNER, *self.others)]
        return self.game.open(stakes, dealing_order(HANDS, MIDDLE), DoudizhuContext())

    def _answered(self, state: DoudizhuState, replies: Sequence[str]) -> DoudizhuState:
        """The hand when it is the learner's turn again, or over."""
        for reply in replies:
            state = self.game.apply(state, state.turn, _action(reply))
        while state.phase != "over" and state.turn != LEARNER:
            action = self._of_its_own(self.game.view(state, state.turn))
            state = self.game.apply(state, state.turn, action)
        return state

    def _of_its_own(self, view: DoudizhuView) -> Action:
        """A seat's acts off the authored path: it does not call, and plays by its own hint."""
        if view.phase == "call":
            return Call(0)
        hint = hint_of(self.game, view, 0)
        return Pass() if hint.passes else Play(in_order(tuple(hint.cards)))

    def _advice(self, view: DoudizhuView) -> Advice:
        """The hint that a table gives, where the learner has left the authored way."""
        if view.phase == "call":
            return Advice(CALL_AGAIN, f"{CALL}0")
        hint = hint_of(self.game, view, 0)
        return Advice(hint.words, PASS if hint.passes else pick_of(tuple(hint.cards)))


def _action(pick: str) -> Action:
    if pick == PASS:
        return Pass()
    if pick.startswith(CALL):
        points = pick.removeprefix(CALL)
        if points not in POINTS:
            raise Illegal("call_range", "A call is {least} to {most}.", least=0, most=CALL_MAX)
        return Call(int(points))
    # In order, so that the same cards are the same play.
    return Play(in_order(cards_in(pick)))


def _buttons(game: Doudizhu, view: DoudizhuView) -> tuple[Button, ...]:
    if view.phase == "play":
        passing = (Button(PASS, LABELS[PASS]),) if view.to_beat is not None else ()
        return (*passing, Button(CARDS, LABELS["play"]))
    return tuple(
        Button(f"{CALL}{hint.action.points}", hint.words)
        for hint in FAMILY.plays(game, view)
        if isinstance(hint.action, Call)
    )


def _cards(pick: str) -> tuple[Card, ...]:
    return () if pick == PASS or pick.startswith(CALL) else cards_in(pick)


def _end(state: DoudizhuState) -> Words:
    if state.landlord is None:
        return PASSED_OUT
    is_landlord, landlord_won = (
        state.landlord == LEARNER,
        not state.hands[state.place(state.landlord)],
    )
    if is_landlord == landlord_won:
        return WON if is_landlord else WON_AS_FARMER
    return LOST
