"""The quick phrases of the chat at Dou Dizhu."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: Final[dict[str, str | Promise]] = {
    "pleased": _("Hello all, glad to be playing with you!"),
    "flowers": _("Hurry up, the flowers have all wilted!"),
    "too_good": _("You play these cards far too well!"),
    "partners": _("What a pleasure to play with you!"),
    "till_dawn": _("Nobody leaves! We fight till dawn!"),
    "no_quarrel": _("Stop quarrelling and play!"),
    "offline": _("Offline again? What a connection!"),
    "away": _("Sorry, I have to leave you for a moment."),
    "miss_you": _("Good-bye, I will miss you all!"),
}
