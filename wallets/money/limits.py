"""Limits of the house, in whole units: defaults from the settings, changed only by proposal.

A limit that one person could raise alone would be none, so each change needs a second person.
"""

from typing import Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.models import Currency
from wallets.models.staff_models import HouseLimit
from wallets.values.errors import Refused

VALUE_MAX: Final = 10**12

# By name: the setting with the default, and words.
LIMITS: Final[dict[str, tuple[str, str | Promise]]] = {
    "deposit": ("APPROVAL_DEPOSIT", _("Deposits need approval from")),
    "withdrawal": ("APPROVAL_WITHDRAWAL", _("Withdrawals need approval from")),
    "variance": ("APPROVAL_VARIANCE", _("Variances of a till need approval from")),
    "reversal": ("APPROVAL_REVERSAL", _("Reversals of hands need approval from")),
    "jackpot": ("APPROVAL_JACKPOT", _("Changes of jackpots need approval from")),
    "tournament": (
        "APPROVAL_TOURNAMENT",
        _("Guarantees and cancelled tournaments need approval from"),
    ),
    "large_win": ("ALARM_LARGE_WIN", _("A win raises an alarm from")),
    "jackpot_seed": ("JACKPOT_SEED_MAX", _("The house puts into a jackpot at most")),
}


def value(name: str) -> int:
    """A limit in whole units of whichever currency it is compared with."""
    stored = HouseLimit.objects.filter(pk=name).values_list("value", flat=True).first()
    return int(getattr(settings, LIMITS[name][0])) if stored is None else stored


def reaches(name: str, amount: int, currency: Currency) -> bool:
    """Whether an amount in minor units needs the approval that a limit demands.

    Tournament chips never do, and play money only where the house says so.
    """
    held = {Currency.Kind.MONEY} | ({Currency.Kind.PLAY} if settings.APPROVAL_PLAY_MONEY else set())
    return currency.kind in held and amount >= value(name) * int(10**currency.exponent)


def words_of(name: str) -> str | Promise:
    if name not in LIMITS:
        raise Refused("no_such_limit", _("The house has no such limit."))
    return LIMITS[name][1]


def check(name: str, wanted: object) -> int:
    words_of(name)
    if type(wanted) is not int or not 0 <= wanted <= VALUE_MAX:
        raise Refused(
            "limit_bounds", _("A limit is a whole number from 0 to {most}."), most=VALUE_MAX
        )
    return wanted


def store(name: str, wanted: int) -> None:
    """Carried out by `wallets.staff.staff_verbs` alone, once a second person has approved."""
    HouseLimit.objects.update_or_create(pk=name, defaults={"value": check(name, wanted)})
