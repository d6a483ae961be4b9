"""The forms in which a seat's choices are offered, and an action read back from what was sent.

A choice names an action and its bounds; the action's own fields say what must be asked for. So the
plain table needs no form of its own for any game.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.rules.cards import Card
from games.rules.contract import Action, AnyGame, Choice
from games.rules.errors import Unreadable
from wallets.amounts import read_amount
from wallets.models import Currency

# Fields of actions that hold money, and those that hold cards.
MONEY = frozenset(("amount", "bonus", "insurance"))
CARDS = frozenset(("cards", "front", "middle", "back"))

LABELS = {
    "accept": _("Accept"),
    "ante": _("Ante"),
    "arrange": _("Arrange"),
    "bet": _("Bet"),
    "buy": _("Buy a card"),
    "buy_dealer": _("Buy the dealer a card"),
    "call": _("Call"),
    "done": _("No more bets"),
    "double": _("Double"),
    "even_money": _("Even money"),
    "exchange": _("Exchange"),
    "fold": _("Fold"),
    "follow": _("Follow"),
    "give": _("Give"),
    "hit": _("Hit"),
    "insure": _("Insure"),
    "pass": _("Pass"),
    "play": _("Play"),
    "split": _("Split"),
    "stand": _("Stand"),
    "surrender": _("Surrender"),
}


FIELD_LABELS = {
    "amount": _("Amount"),
    "back": _("Back"),
    "blind": _("Blind box"),
    "bonus": _("Bonus"),
    "box": _("Box"),
    "cards": _("Cards"),
    "declare": _("Declare"),
    "direction": _("Direction"),
    "front": _("Front"),
    "hand": _("Hand"),
    "insurance": _("Insurance"),
    "middle": _("Middle"),
    "on": _("On"),
    "points": _("Points"),
    "rounds": _("Rounds"),
    "sixth": _("Sixth card"),
    "yes": _("Follow"),
}


class Field(NamedTuple):
    """One thing a form asks for: hidden, a number, money, a switch, cards, or one of several."""

    name: str
    kind: str
    value: object = None
    least: int | None = None
    most: int | None = None
    among: tuple[str, ...] = ()

    @property
    def label(self) -> Any:
        return FIELD_LABELS[self.name]


class ActionForm(NamedTuple):
    """One choice as a form."""

    choice: Choice
    label: Any
    fields: tuple[Field, ...]


def forms_for(game: AnyGame, choices: tuple[Choice, ...]) -> list[ActionForm]:
    """One form for each choice, with the fields that its action needs."""
    kinds = {kind.__struct_config__.tag: kind for kind in game.actions}
    return [
        ActionForm(choice, LABELS[choice.do], tuple(_fields(choice, kinds[choice.do])))
        for choice in choices
    ]


def _fields(choice: Choice, kind: type[Action]) -> list[Field]:
    return [_field(choice, field) for field in msgspec.structs.fields(kind)]


def _field(choice: Choice, field: Any) -> Field:
    name = field.name
    told = getattr(choice, name) if name in ("box", "hand") else None
    if told is not None:
        return Field(name, "hidden", told)
    if name in CARDS:
        return Field(name, "cards")
    if name in MONEY:
        return Field(name, "money", None, choice.least if name == "amount" else None, choice.most)
    if field.type is bool:
        return Field(name, "switch")
    if choice.among:
        return Field(name, "optional" if name == "declare" else "select", among=choice.among)
    return Field(name, "number", choice.least, choice.least, choice.most)


def action_from(game: AnyGame, sent: QueryDict, currency: Currency) -> dict[str, Any]:
    """The JSON form of the action that a form has sent; `Unreadable` where it is none."""
    kinds = {kind.__struct_config__.tag: kind for kind in game.actions}
    kind = kinds.get(sent.get("do", ""))
    if kind is None:
        raise Unreadable(
            "action", "That is no action here: {reason}", reason=sent.get("do", "")[:40]
        )
    told: dict[str, Any] = {"do": sent["do"]}
    for field in msgspec.structs.fields(kind):
        value = _read(field, sent, currency)
        if value is not msgspec.UNSET:
            told[field.name] = value
    return told


def _read(field: Any, sent: Mapping[str, Any], currency: Currency) -> Any:
    name = field.name
    if name in CARDS:
        return _cards(sent, name)
    text = sent.get(name, "")
    if field.type is bool:
        return text in ("yes", "on")
    if text == "":
        return msgspec.UNSET
    if name in MONEY:
        return read_amount(text, currency)
    return int(text) if text.lstrip("-").isdigit() and len(text) < 20 else text


def _cards(sent: Any, name: str) -> list[str]:
    """Cards that were ticked, or written one behind the other."""
    names = {card.text for card in Card}
    told = [part for value in sent.getlist(name) for part in value.replace(",", " ").split()]
    cards = [part[at : at + 2] for part in told for at in range(0, len(part), 2)]
    for card in cards:
        if card not in names:
            raise Unreadable("card", "{text} is not a card", text=card[:10])
    return cards
