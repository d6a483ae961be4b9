"""A table as a whole: what its pieces are made of, and how they are sent."""

from collections.abc import Mapping
from typing import Final

from django.utils.safestring import SafeString

from games.boards.help import Filled
from games.pieces.functions import NO_TOKEN

# What a page knows only of a hand that somebody plays now.
NO_HAND: Final[Mapping[str, object]] = {
    "house": None,
    "wheel": None,
    "betting": None,
    "ahead": None,
    "forms": (),
    "form_of": {},
    "insurance_offer": None,
    "insurance": "",
    "my_cards": (),
    "cards_key": "",
    "fill": Filled(),
    "suggestions": (),
    "next_hint": 0,
    "waiting_for": (),
    # Of Dou Dizhu.
    "multiplier": None,
    "counter": None,
    "reading": None,
    "only_pass": False,
}
# Of a hand that is looked back on, or of which nobody plays.
NOT_LIVE: Final = {**NO_HAND, "live": False, "board": None, "deadline": None}


def with_token(markup: str, token: str) -> SafeString:
    """Markup as it is sent: each form gets the token of its reader, which differs each time."""
    return SafeString(markup.replace(NO_TOKEN, token))  # both escaped # nosec B703
