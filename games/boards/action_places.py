"""The places of actions: what is impossible now keeps its place, with the reason.

A family declares for each kind of decision which actions it has, in the order of their places
(`decision_bar`). So no button stands where another stood a moment ago.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from games.boards.family import family_of
from games.boards.forms import ActionForm, Button, answer_label, label_of
from games.rules.contract import AnyGame, Choice, Choices, State
from games.rules.errors import Illegal
from games.words.refusals import sentence_of
from wallets.models import Currency

# The answers of actions with a button for each, all of them, and the field that they are.
ANSWERS: Final = {"points": ("0", "1", "2", "3"), "yes": ("yes", "no")}
# Why an action is impossible, in few words; without them the rules' sentence stands there.
SHORT: Final = {
    "above_purse": _l("needs {added}"),
    "beats_nothing": _l("beats nothing"),
    "box_answered": _l("answered"),
    "call_too_low": _l("too low"),
    "draw_before_insurance": _l("not after insurance"),
    "drawn_once": _l("once only"),
    "hands_full": _l("four hands already"),
    "insured_once": _l("insured already"),
    "must_lead": _l("you lead"),
    "no_pair": _l("not a pair"),
    "not_insurable": _l("needs three alike"),
    "not_two_cards": _l("first two cards only"),
    "surrender_ace": _l("not against an ace"),
    "surrender_late": _l("first two cards only"),
}


class DisabledAction(NamedTuple):
    """An action, or one answer of it, that is impossible now, and why: whole and in few words."""

    do: str
    label: str
    reason: str
    short: str
    box: int | None = None
    value: str = ""

    @property
    def key(self) -> str:
        return "-".join(str(part) for part in (self.do, self.box) if part is not None)


Place = ActionForm | DisabledAction


def bar_of(game: AnyGame, choices: Iterable[Choice]) -> tuple[str, ...]:
    """The actions of the decision that these choices are about, by their places."""
    offered = {choice.do for choice in choices}
    bars = family_of(game).decision_bar(game)
    return next((bar for lead, bar in bars.items() if lead in offered), ())


def disabled_actions(
    game: AnyGame, state: State, seat: int, choices: Choices, currency: Currency | None = None
) -> tuple[DisabledAction, ...]:
    """The actions of the decision that are not among the choices; none while bets are placed."""
    bar = bar_of(game, choices)
    where: dict[int | None, int | None] = {}
    for choice in choices:
        if choice.do in bar and where.get(choice.box) is None:
            where[choice.box] = choice.hand
    for box in family_of(game).decided_boxes(game, state, seat) if bar else ():
        where.setdefault(box, None)
    disabled = _Disabled(game, state, seat, choices, currency)
    disabled.says_box = len(where.keys() - {None}) > 1
    boxes = sorted(where.items(), key=lambda item: item[0] or 0)
    return tuple(
        action for box, hand in boxes for do in bar for action in disabled.at(do, box, hand)
    )


class _Disabled:
    """Asks the rules why actions are impossible."""

    def __init__(
        self, game: AnyGame, state: State, seat: int, choices: Choices, currency: Currency | None
    ) -> None:
        self.game, self.state, self.seat, self.currency = game, state, seat, currency
        self.kinds: dict[str, Any] = {
            str(action.__struct_config__.tag): action for action in game.actions
        }
        self.offered = {(choice.do, choice.box): choice for choice in choices}
        self.says_box = False

    def at(self, do: str, box: int | None, hand: int | None) -> Iterator[DisabledAction]:
        names = self.kinds[do].__struct_fields__
        answer = next((name for name in ANSWERS if name in names), "")
        choice = self.offered.get((do, box))
        for value in ANSWERS[answer] if answer and choice else ("",) if choice is None else ():
            if choice is not None and value in choice.among:
                continue
            fields = {"box": box, "hand": hand, **self._given(answer, value), **self._needed(box)}
            action = self.kinds[do](**{name: fields[name] for name in names if name in fields})
            try:
                self.game.apply(self.state, self.seat, action)
            except Illegal as why:
                yield self._said(do, box, value, why)

    def _given(self, answer: str, value: str) -> dict[str, object]:
        return {"points": int(value)} if answer == "points" else {"yes": value == "yes"}

    def _needed(self, box: int | None) -> dict[str, object]:
        """Some amount, and two cards of the box, for actions that need them to be refused."""
        boxes = getattr(self.state, "boxes", ())
        cards = next(
            (candidate.cards for candidate in boxes if getattr(candidate, "box", None) == box), ()
        )
        return {"amount": 1, "cards": tuple(cards[:2])}

    def _said(self, do: str, box: int | None, value: str, why: Illegal) -> DisabledAction:
        label = answer_label(do, value) if value else str(label_of(self.game, do))
        if self.says_box and not value:
            label = _("{action}, box {box}").format(action=label, box=box)
        reason = sentence_of(why, self.currency)
        few = Illegal(why.code, str(SHORT[why.code]), **why.values) if why.code in SHORT else None
        short = sentence_of(few, self.currency) if few else reason
        return DisabledAction(do, label, reason, short, box, value)


def in_places(
    game: AnyGame, choices: Choices, forms: Sequence[ActionForm], disabled: Sequence[DisabledAction]
) -> list[Place]:
    """Forms and disabled actions in their places; what has none comes after them."""
    bar = bar_of(game, choices)
    if not bar:
        return list(forms)
    # Another box may do what one box cannot; on a phone both have the same place.
    possible = {form.do for form in forms}
    places: list[tuple[int, int, Place]] = [
        (action.box or 0, bar.index(action.do), action)
        for action in disabled
        if not action.value and action.do not in possible
    ]
    places += [
        (form.box or 0, bar.index(form.do), _whole(form, disabled))
        for form in forms
        if form.do in bar
    ]
    places.sort(key=lambda one: one[:2])
    return [place for *_key, place in places] + [form for form in forms if form.do not in bar]


def _whole(form: ActionForm, disabled: Sequence[DisabledAction]) -> ActionForm:
    """The form with those of its answers that are impossible, in their places."""
    missing = [
        action
        for action in disabled
        if action.value and (action.do, action.box) == (form.do, form.box)
    ]
    if not missing:
        return form
    name = form.buttons[0].name
    buttons = {button.value: button for button in form.buttons}
    buttons |= {
        action.value: Button(action.label, name, action.value, refused=action.short)
        for action in missing
    }
    order = next(values for answer, values in ANSWERS.items() if answer == name)
    return form._replace(buttons=tuple(buttons[value] for value in order if value in buttons))
