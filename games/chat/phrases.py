"""Quick phrases: a line stores the key, so everybody reads it in their own language."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: Final[dict[str, str | Promise]] = {
    "hello": _("Hello everybody!"),
    "luck": _("Good luck!"),
    "nice": _("Nicely played!"),
    "thanks": _("Thank you!"),
    "quick": _("A little quicker, please."),
    "moment": _("One moment, please."),
    "unlucky": _("What bad luck!"),
    "bye": _("I must go. Good-bye!"),
}
