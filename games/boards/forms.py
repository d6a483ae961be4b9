"""The forms in which a seat's choices are offered, and an action read back from what was sent.

A choice names an action and its bounds; the action's own fields say what must be asked for. Choices
that differ in their box or spot alone are one form with a button for each. So no game needs its own
forms. Insurance is one strip for all boxes of a player, as one press answers for several; nothing
is chosen beforehand there, as insurance costs money on average.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from games.boards.family import family_of
from games.boards.labels import (
    DECLINE,
    FIELD_LABELS,
    FLAVOUR_LABELS,
    FLAVOURS,
    LABELS,
    PLACES,
)
from games.rules.cards import Card, parse_cards
from games.rules.contract import Action, AnyGame, Choice, Choices
from games.rules.errors import Unreadable
from games.words.naming import term
from wallets.models import Currency
from wallets.values.amounts import read_amount
from wallets.values.errors import Refused

# Fields of actions that hold money, and those that hold cards.
MONEY: Final = frozenset(("amount", "bonus", "insurance"))
ROWS: Final = ("front", "middle", "back")
CARDS: Final = frozenset(("cards", *ROWS))
# In which row a card was put is sent under its name behind this.
PLACE: Final = "place-"
# The amounts that are offered, as multiples of the smallest.
CHIPS: Final = (1, 2, 5, 10, 25, 100)
NUMBER: Final = re.compile(r"-?\d{1,18}", re.ASCII)
CARD_NAMES: Final = frozenset(card.text for card in Card)


class Button(NamedTuple):
    """A way to send a form: what it adds to the form's fields, and its bounds and price.

    A button that must not be pressed by accident explains itself in `asks` and needs a second
    press. One that is closed waits for the page to open it.
    """

    label: Any
    name: str = ""
    value: str = ""
    cost: int = 0
    least: int | None = None
    most: int | None = None
    asks: str = ""
    is_closed: bool = False
    # Why it cannot be pressed at this decision, in few words.
    refused: str = ""


class Field(NamedTuple):
    """A field of a form: hidden, a fixed amount, money, or one of several values."""

    name: str
    kind: str
    value: object = None
    least: int | None = None
    most: int | None = None
    among: tuple[tuple[str, str], ...] = ()
    # Amounts that the rules say are worth a button.
    amounts: tuple[int, ...] = ()

    @property
    def label(self) -> object:
        return FIELD_LABELS[self.name]

    @property
    def chips(self) -> list[int]:
        """Amounts to choose from without typing."""
        if self.amounts:
            return [*self.amounts]
        first, most = int(str(self.value or self.least)), self.most or 1
        return [chip for chip in (first * times for times in CHIPS) if chip <= most]


class ActionForm(NamedTuple):
    """A choice as a form; `picks` says whether `cards` are ticked or put into rows."""

    do: str
    key: str
    label: Any
    fields: tuple[Field, ...]
    buttons: tuple[Button, ...]
    picks: str = ""
    cards: tuple[Card, ...] = ()
    least: int | None = None
    most: int | None = None
    box: int | None = None

    @property
    def reason(self) -> str:
        """Return why it is impossible, as of a disabled action: it is not."""
        return ""


def forms_for(
    game: AnyGame,
    choices: Sequence[Choice],
    hand: Sequence[Card] = (),
    boxes: Iterable[int | None] = (),
) -> list[ActionForm]:
    """One form for each kind of choice; `hand` are the cards that can be picked from.

    If there are choices for several boxes, or other `boxes` beside them, each button names its box.
    """
    kinds = {kind.__struct_config__.tag: kind for kind in game.actions}
    groups: dict[tuple[object, ...], list[Choice]] = {}
    for choice in choices:
        groups.setdefault(_group(choice, kinds[choice.do]), []).append(choice)
    said = len({*boxes, *(choice.box for choice in choices)} - {None}) > 1
    forms = [_form(game, kinds[group[0].do], group, tuple(hand), said) for group in groups.values()]
    offered = {choice.do for choice in choices}
    if "hit" in offered or offered.isdisjoint(("insure", "even_money")):
        return forms
    return [_declining(form) if form.do == "stand" else form for form in forms]


def _declining(form: ActionForm) -> ActionForm:
    buttons = tuple(button._replace(label=DECLINE) for button in form.buttons)
    return form._replace(label=DECLINE, buttons=buttons)


def label_of(game: AnyGame, do: str) -> str | Promise:
    """Return what the button of an action is called."""
    return family_of(game).labels.get(do) or LABELS[do]


def _group(choice: Choice, kind: type[Action]) -> tuple[object, ...]:
    if "amount" in kind.__struct_fields__:
        return choice.do, _flavour(choice)
    return choice.do, choice.box, choice.hand


def _flavour(choice: Choice) -> tuple[str, ...]:
    return tuple(word for word in FLAVOURS if word in choice.among)


def _form(
    game: AnyGame, kind: type[Action], group: list[Choice], hand: tuple[Card, ...], says_box: bool
) -> ActionForm:
    first, names = group[0], kind.__struct_fields__
    flavour = _flavour(first) if "amount" in names else ()
    picks = "rows" if "front" in names else "cards" if "cards" in names else ""
    cards = hand
    if picks == "cards" and first.among:
        cards = parse_cards("".join(first.among))
    parts = [first.do, *flavour]
    if "amount" not in names:
        parts += [str(part) for part in (first.box, first.hand) if part is not None]
    return ActionForm(
        do=first.do,
        key="-".join(parts),
        label=FLAVOUR_LABELS.get(flavour) or label_of(game, first.do),
        fields=tuple(_fields(names, group, flavour)),
        buttons=tuple(_buttons(game, names, group, says_box)),
        picks=picks,
        cards=cards if picks else (),
        least=first.least,
        most=first.most,
        box=first.box,
    )


def _fields(names: Iterable[str], group: list[Choice], flavour: tuple[str, ...]) -> Iterable[Field]:
    first = group[0]
    for name in names:
        if name in ("amount", "bonus") and first.do == "remove":
            # A form takes a bet back whole.
            continue
        if name in ("box", "hand") and "amount" not in names:
            yield Field(name, "hidden", getattr(first, name))
        elif name == "amount" and "bonus" in flavour:
            yield Field(name, "hidden", "0")
        elif name == "amount" and flavour:
            yield Field(name, "fixed", first.least)
        elif name == "amount" or (name == "bonus" and "bonus" in flavour):
            least = min(choice.least or 1 for choice in group)
            everywhere = max(choice.least or 1 for choice in group)
            # Insurance costs money on average: nothing is typed there beforehand.
            typed = None if first.do == "insure" else everywhere
            most = max(choice.most or 1 for choice in group)
            yield Field(name, "money", typed, least, most, amounts=first.amounts)
        elif name == "blind" and "blind" in flavour:
            yield Field(name, "hidden", "yes")
        elif name == "rounds":
            rounds = [str(number) for number in range(first.least or 0, (first.most or 0) + 1)]
            yield Field(name, "among", "0", among=tuple((count, count) for count in rounds))
        elif name == "direction":
            labelled = tuple((word, term(word)) for word in first.among)
            yield Field(name, "among", first.among[0], among=labelled)


def _buttons(
    game: AnyGame, names: Iterable[str], group: list[Choice], says_box: bool
) -> Iterable[Button]:
    first = group[0]
    if "amount" in names:
        alone = first.do == "insure" and len(group) == 1
        for choice in group:
            place = _place(game, choice, names)
            # Among other moves it says what it does.
            yield place._replace(label=label_of(game, first.do)) if alone else place
    elif "points" in names:
        for option in first.among:
            yield Button(answer_label(first.do, option), "points", option)
    elif "place" in names:
        for option in first.among:
            yield Button(PLACES[option], "place", option)
    elif "yes" in names:
        yield from _answers(first)
    else:
        ordered = "rounds" in names
        label = _("Order the exchanges") if ordered else label_of(game, first.do)
        if says_box and first.box is not None:
            label = _("{action}, box {box}").format(action=label, box=first.box)
        yield Button(label, cost=first.cost)
    for option in first.among if "declare" in names else ():
        label = _("Declare: {natural}").format(natural=term(option))
        yield Button(label, "declare", option, asks=family_of(game).declaring(game, option))


def answer_label(do: str, value: str) -> str:
    """What the button of one answer is called: of a call at Dou Dizhu, or whether one follows."""
    if do == "follow":
        return str(LABELS["follow"]) if value == "yes" else _("Do not follow")
    return _("No call") if value == "0" else _("Call {points}").format(points=value)


def _answers(choice: Choice) -> Iterable[Button]:
    """A guest's answers to a double or a split, where only following costs."""
    for answer in choice.among:
        yield Button(
            answer_label(choice.do, answer), "yes", answer, choice.cost if answer == "yes" else 0
        )


def _place(game: AnyGame, choice: Choice, names: Iterable[str]) -> Button:
    """The button that puts an amount somewhere."""
    label: object = label_of(game, choice.do)
    name = value = ""
    if "on" in names:
        name, value = "on", choice.among[0]
        label = capfirst(term(value))
    elif choice.box is not None:
        name, value = "box", str(choice.box)
        label = _("Box {box}").format(box=choice.box)
    if choice.do == "remove":
        label = _("{action}: {where}").format(action=label_of(game, choice.do), where=label)
    return Button(label, name, value, choice.cost, choice.least, choice.most)


def action_from(game: AnyGame, sent: QueryDict, currency: Currency) -> dict[str, object]:
    """The JSON form of the action that a form has sent; raises `Unreadable` if it is not one."""
    kinds = {kind.__struct_config__.tag: kind for kind in game.actions}
    kind = kinds.get(sent.get("do", ""))
    if kind is None:
        raise Unreadable(
            "action", "This is not a valid action: {reason}", reason=sent.get("do", "")[:40]
        )
    data: dict[str, object] = {"do": sent["do"]}
    for field in msgspec.structs.fields(kind):
        value = _read(field, sent, currency)
        if value is not msgspec.UNSET:
            data[field.name] = value
    if data.get("declare"):
        # A natural is declared with the cards as dealt: rows that were filled do not count.
        data |= {row: [] for row in ROWS}
    return data


def _read(field: Any, sent: QueryDict, currency: Currency) -> object:
    name = field.name
    if name in CARDS:
        return _cards(sent, name)
    text = sent.get(name, "")
    if field.type is bool:
        return text in ("yes", "on")
    if text == "":
        return msgspec.UNSET
    if name in MONEY:
        # Nothing for the box itself, where a bonus is bet on it.
        return 0 if text == "0" and sent.get("bonus") else read_amount(text, currency)
    return int(text) if NUMBER.fullmatch(text) else text


def _cards(sent: QueryDict, name: str) -> list[str]:
    """Cards that were ticked, put into a row, or written one behind the other."""
    parts = [part for value in sent.getlist(name) for part in value.replace(",", " ").split()]
    cards = [part[at : at + 2] for part in parts for at in range(0, len(part), 2)]
    for card in cards:
        if card not in CARD_NAMES:
            raise Unreadable("card", "{text} is not a card", text=card[:10])
    return cards + [card.text for card in Card if sent.get(f"{PLACE}{card.text}") == name]


def picked(sent: QueryDict) -> tuple[frozenset[Card], dict[Card, str]]:
    """The cards that a form says are ticked, and those it has put into rows."""
    ticked = frozenset(card for card in Card if card.text in sent.getlist("cards"))
    rows = {card: sent.get(f"{PLACE}{card.text}", "") for card in Card}
    return ticked, {card: row for card, row in rows.items() if row in ROWS}


# The field that says which boxes are insured, and the prefixes of the amounts: what insures a box
# in full, and what was typed for it.
ANSWER: Final = "insurance"
FULL: Final = "full-"
TYPED: Final = "insured-"


class InsurableBox(NamedTuple):
    """A box that can be insured, and for how much."""

    number: int
    least: int
    most: int


class Insurance(NamedTuple):
    """The boxes that can be insured, and the price of all; 0 if the stack is too small for it."""

    boxes: tuple[InsurableBox, ...]
    full: int


def insurance_offer(choices: Choices, free: int) -> Insurance | None:
    """The strip; None where no player is asked about all boxes at once."""
    if all(choice.do != "decline" for choice in choices):
        return None
    boxes = tuple(
        InsurableBox(choice.box, choice.least, choice.most)
        for choice in choices
        if choice.do == "insure" and choice.box and choice.least and choice.most
    )
    full = sum(box.most for box in boxes)
    return Insurance(boxes, full if full <= free else 0)


def answers_from(sent: QueryDict, currency: Currency) -> list[dict[str, Any]]:
    """The actions that the strip has sent."""
    decline = {"do": "decline"}
    if sent[ANSWER] == "none":
        return [decline]
    insured = list(_insured(sent, FULL if sent[ANSWER] == "all" else TYPED, currency))
    if not insured:
        raise Refused("nothing_insured", _n("Choose a box to insure, or decline."))
    offered = sum(name.startswith(FULL) for name in sent)
    return insured if len(insured) == offered else [*insured, decline]


def _insured(sent: QueryDict, prefix: str, currency: Currency) -> Iterable[dict[str, object]]:
    for name in sorted(sent):
        box = name.removeprefix(prefix)
        text = sent.get(name, "")
        if name != box and box.isascii() and box.isdecimal() and text:
            yield {"do": "insure", "box": int(box), "amount": read_amount(text, currency)}
