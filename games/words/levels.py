"""The levels that a player can have in the house, as plates and pages name them."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

LENGTH_MAX: Final = 10

LEVEL_NAMES: Final[dict[str, str | Promise]] = {
    "player": _("Player"),
    "bronze": _("Bronze"),
    "silver": _("Silver"),
    "gold": _("Gold"),
    "diamond": _("Diamond"),
}
