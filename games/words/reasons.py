"""Why the house takes a shoe or a hand away by itself.

The reason is published as it stands here; a page says it in its reader's language. What an operator
has written is nobody's to translate.
"""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

OUT_OF_CARDS: Final = _n("the shoe ran out of cards")
OTHER_CARDS: Final = _n("the table is played with other cards now")
NOT_DEALT: Final = _n("it could not be dealt to those who mixed it")
NOT_REVEALED: Final = _n("not revealed by seat {seats}")


def reason_in_words(reason: str) -> str:
    """A reason as its reader says it."""
    if reason in (OUT_OF_CARDS, OTHER_CARDS, NOT_DEALT):
        return _(reason)
    begins = NOT_REVEALED.format(seats="")
    if reason.startswith(begins):
        return _(NOT_REVEALED).format(seats=reason.removeprefix(begins))
    return reason
