"""How well a bot plays: each bot of the house has one strength, at the games where that differs."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

EASY: Final = "easy"
STEADY: Final = "steady"
STRONG: Final = "strong"
LENGTH_MAX: Final = 10

# What its plate says.
MARKS: Final[dict[str, str | Promise]] = {
    EASY: _("easy bot"),
    STEADY: _("steady bot"),
    STRONG: _("strong bot"),
}
