"""The settings of a table that a profile has: which columns, and how people read them."""

from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.models import Table
from games.models.table_rules import AMOUNTS, COUNTS, SECONDS, SETTINGS, SWITCHES
from games.profiles.words import CHOICES
from games.tables.settings import SECONDS_LEAST
from wallets.models import Currency
from wallets.values.amounts import show_amount

# The longest that a table may be told to wait, in seconds.
SECONDS_MAX: Final = 3600
BOTS_MAX: Final = 20


def bounds_of(name: str) -> tuple[int, int]:
    """The smallest and the largest number that a setting may have."""
    if name in COUNTS:
        return 0, BOTS_MAX
    return SECONDS_LEAST.get(name, 1), SECONDS_MAX


def column(name: str) -> Any:
    return Table._meta.get_field(name)


def label_of(name: str) -> str:
    return capfirst(str(column(name).verbose_name))


def of_table(table: Table) -> dict[str, object]:
    return {name: getattr(table, name) for name in SETTINGS}


def show_setting(name: str, value: Any, currency: Currency) -> str:
    if name in AMOUNTS:
        return show_amount(value, currency)
    if name in SECONDS:
        return _("{seconds} s").format(seconds=value)
    if name in SWITCHES:
        return str(CHOICES[name, bool(value)])
    return str(value)
