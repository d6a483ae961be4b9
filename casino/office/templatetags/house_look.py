"""Template tags for what the house is called, says and looks like."""

from django import template
from django.urls import reverse
from django.utils.html import format_html

from casino.office.house import files
from wallets.values import house, palette

register = template.Library()
register.simple_tag(house.house_name, name="house_name")
register.simple_tag(files.icon_address, name="house_icon")
register.simple_tag(files.mark_address, name="house_mark")


@register.simple_tag
def house_says(field: str) -> str:
    """A text of the house in the reader's language, empty where it has none."""
    shown = house.current()
    return shown.said(getattr(shown, field))


@register.simple_tag
def house_sheet() -> str:
    """The link to the sheet of the palette, after all other sheets."""
    address = files.sheet_address()
    return format_html('<link rel="stylesheet" href="{}">', address) if address else ""


@register.simple_tag
def house_ground(theme: str) -> str:
    """The colour around the page, for the bars of browsers and phones."""
    light, dark, _felt = palette.themes(house.current().palette)
    return (light if theme == "light" else dark)["ground"]


@register.simple_tag
def house_languages() -> tuple[str, ...]:
    return house.current().offered


@register.simple_tag
def house_links() -> list[tuple[str, str]]:
    """The pages of the house's own texts that it has: their fields and addresses."""
    shown = house.current()
    return [
        (field, reverse(f"house-{field}"))
        for field in ("terms", "contacts")
        if shown.said(getattr(shown, field))
    ]
