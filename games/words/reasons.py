"""Reasons for which the house voids a shoe or a hand by itself.

The reason is published in these words; a page says it in its reader's language. What an
operator has written is not translated.
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

OUT_OF_CARDS: Final = _n("the shoe ran out of cards")
OTHER_CARDS: Final = _n("the table is played with other cards now")
NOT_DEALT: Final = _n("it could not be dealt to those who mixed it")
NO_BETS: Final = _n("nobody bet")
EVENT_OVER: Final = _n("the tournament is over")
NOT_REVEALED: Final = _n("not revealed by seat {seats}")

# The reasons for which the house voids a hand by itself, by the codes that hands store.
OUT_OF_CARDS_CODE: Final = "out_of_cards"
EVENT_OVER_CODE: Final = "event_over"
_OF_HANDS: Final = {OUT_OF_CARDS_CODE: OUT_OF_CARDS, EVENT_OVER_CODE: EVENT_OVER}


def is_own_reason(code: str, by: str, text: str) -> bool:
    """Whether the code matches its text; without a code any text is allowed."""
    return not code or (by == "house" and text == _OF_HANDS.get(code))


def hand_reason_in_words(code: str, text: str) -> str:
    """Return why a hand is void, as its reader says it; typed text is not translated."""
    return _(_OF_HANDS[code]) if code in _OF_HANDS else text


def reason_in_words(reason: str) -> str:
    """A reason as its reader says it."""
    if reason in (OUT_OF_CARDS, OTHER_CARDS, NOT_DEALT, NO_BETS):
        return _(reason)
    begins = NOT_REVEALED.format(seats="")
    if reason.startswith(begins):
        return _(NOT_REVEALED).format(seats=reason.removeprefix(begins))
    return reason
