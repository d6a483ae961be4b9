"""A guided round against the house: an authored shoe, and what a learner reads at each step.

The learner sits alone. As long as the learner decides as advised, the words are the authored ones;
otherwise the strategy of the rules advises, on the cards that the same shoe deals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final

from django.utils.translation import gettext_lazy as _

from games.boards.family import family_of
from games.boards.labels import LABELS
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
    pick_of,
)
from games.rules.cards import DECK, Card, parse_cards
from games.rules.contract import Action, Choice, SeatStack, View
from games.rules.errors import Illegal
from games.rules.house.actions import Done, HouseState
from games.rules.house.game import HouseGame
from games.words.naming import term

STACK: Final = 20_000
BET: Final = 1_000
EXCHANGE: Final = "exchange"
STRATEGY_SAYS: Final = _("From here on the strategy of the rules advises you: {words}.")
OWN_END: Final = _("The round is over. Below is every line of it.")


@dataclass(frozen=True, kw_only=True)
class HouseLesson:
    """A round: its first cards, the bets to choose from, and the words of each step."""

    game: HouseGame[Any]
    cards: str
    # The bets that the learner can choose from, by their picks.
    bets: Mapping[str, Action]
    # The advice for the bet, and for each decision.
    advice: tuple[Advice, ...]
    # The words for the cards, once all of them are dealt.
    read: tuple[Words, ...] = ()
    end: Words
    # The learner plays the house alone.
    others: ClassVar[Mapping[int, str]] = MappingProxyType({})

    @property
    def steps(self) -> int:
        return len(self.advice) + len(self.read) + 1

    def stand(self, picks: Sequence[str]) -> Stand:
        state, as_advised = self._opened(), True
        remark: Words = ""
        for number, pick in enumerate(picks):
            if state.phase == "over":
                return self._read(state, picks[number:], remark, as_advised=as_advised)
            advice = self.advice[number] if as_advised else None
            remark = advice.why if advice and pick != advice.pick else ""
            if state.phase == "bet":
                # Another bet is dealt the same cards.
                state = self._bet(state, pick)
            else:
                as_advised = as_advised and not remark
                state = self.game.apply(state, LEARNER, self._decision(state, pick))
        if state.phase == "over":
            return self._read(state, (), remark, as_advised=as_advised)
        return self._open_choice(state, self.advice[len(picks)] if as_advised else None, remark)

    def _opened(self) -> HouseState:
        first = parse_cards(self.cards)
        rest = (card for card in DECK if card not in first)
        state: HouseState = self.game.open(
            [SeatStack(LEARNER, STACK)], (*first, *rest), self.game.context_type()
        )
        return state

    def _bet(self, state: HouseState, pick: str) -> HouseState:
        if pick not in self.bets:
            raise Illegal("not_now", "That cannot be done at this point of the hand.")
        placed = self.game.apply(state, LEARNER, self.bets[pick])
        after: HouseState = self.game.apply(placed, LEARNER, Done())
        return after

    def _decision(self, state: HouseState, pick: str) -> Action:
        """The action that a pick names; cards are to be exchanged."""
        choices = self._choices(state)
        if pick in choices and pick != EXCHANGE:
            return _action(self.game, choices[pick])
        if EXCHANGE in choices:
            return _action(self.game, choices[EXCHANGE], cards_in(pick))
        raise Illegal("not_now", "That cannot be done at this point of the hand.")

    def _open_choice(self, state: HouseState, advice: Advice | None, remark: Words) -> Stand:
        view = self.game.view(state, LEARNER)
        picks = tuple(self.bets) if state.phase == "bet" else tuple(self._choices(state))
        buttons = [Button(pick, LABELS.get(pick) or term(pick)) for pick in picks]
        offered: tuple[Card, ...] = ()
        if EXCHANGE in picks:
            buttons.remove(Button(EXCHANGE, LABELS[EXCHANGE]))
            buttons.append(Button(CARDS, LABELS[EXCHANGE]))
            offered = parse_cards("".join(self._choices(state)[EXCHANGE].among))
        advice = advice or self._hint(view)
        return Stand(
            state,
            view,
            "pick",
            advice.words,
            advised=() if advice.pick in picks else cards_in(advice.pick),
            offered=offered,
            advised_pick=advice.pick,
            buttons=tuple(buttons),
            remark=remark,
        )

    def _choices(self, state: HouseState) -> dict[str, Choice]:
        return {choice.do: choice for choice in self.game.choices(state, LEARNER)}

    def _hint(self, view: View) -> Advice:
        hint = family_of(self.game).hint(self.game, view)
        assert hint is not None
        words = STRATEGY_SAYS.format(words=hint.words)
        return Advice(words, pick_of(hint.cards) if hint.cards else hint.do)

    def _read(
        self, state: HouseState, picks: Sequence[str], remark: Words, *, as_advised: bool
    ) -> Stand:
        """The cards of the round are explained one step after the other."""
        read = self.read if as_advised else ()
        if any(pick != OK for pick in picks) or len(picks) > len(read):
            raise Illegal("not_now", "That cannot be done at this point of the hand.")
        view = self.game.view(state, LEARNER)
        if len(picks) == len(read):
            end = self.end if as_advised else OWN_END
            return Stand(state, view, "over", end, remark="" if picks else remark)
        words = read[len(picks)]
        remark = "" if picks else remark
        return Stand(state, view, "ok", words, advised_pick=OK, buttons=(NEXT,), remark=remark)


def _action(game: HouseGame[Any], choice: Choice, cards: tuple[Card, ...] = ()) -> Action:
    kind: Any = next(action for action in game.actions if action.__struct_config__.tag == choice.do)
    values = {"box": choice.box, "hand": choice.hand, "amount": choice.most, "cards": cards}
    action: Action = kind(**{name: values[name] for name in kind.__struct_fields__})
    return action
