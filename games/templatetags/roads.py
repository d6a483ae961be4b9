"""The road maps of a table, for its page."""

from django import template

from games.models import Table
from games.roads import ShoeTold, shoe_shown

register = template.Library()


@register.simple_tag
def shoe_on(table: Table) -> ShoeTold | None:
    return shoe_shown(table)
