"""Template tags that say when a day of the house begins."""

from django import template
from django.conf import settings
from django.utils.translation import gettext as _

from wallets.values.days import zone_name

register = template.Library()


@register.simple_tag
def day_begins() -> str:
    """The hour on the clock of the house, such as `6:00`."""
    return f"{settings.GAMING_DAY_HOUR}:00"


@register.simple_tag
def gaming_day() -> str:
    """What a page with days says of them."""
    words = _("Gaming day from {hour} ({zone})")
    return words.format(hour=day_begins(), zone=zone_name())
