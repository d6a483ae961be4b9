"""Insurance as one strip for all boxes of a player: all of them, some of them, or none.

Nothing is chosen beforehand, as insurance costs money on average. The strip is a separate form,
because one press answers for several boxes.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext_noop as _n

from games.rules.contract import Choices
from wallets.models import Currency
from wallets.values.amounts import read_amount
from wallets.values.errors import Refused

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
