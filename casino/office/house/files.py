"""What browsers fetch of the house's own look: the sheet of its palette, its mark and its icons.

An address names what is behind it, so browsers keep the files. A house that looks as the code has
it has none of them: its files are static.
"""

import re
from base64 import b64encode
from functools import lru_cache
from typing import Final

import resvg_py
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language_info
from django.views.decorators.http import require_safe

from casino.office.house.marks import stored
from casino.office.models import HouseMark
from casino.office.shades import SHADES
from casino.web.static_files import source
from wallets.values import house, palette
from wallets.values.house import HouseContent

KEPT: Final = "public, max-age=31536000, immutable"
TYPES: Final = {HouseMark.Kind.SVG: "image/svg+xml", HouseMark.Kind.PNG: "image/png"}
# The icon as the code has it: the colours of its drawing, and what takes their place.
DRAWING: Final = "casino/icon.svg"
DRAWN_IN: Final = {
    "#0b1310": "ground",
    "#2a6350": "felt-light",
    "#123226": "felt-deep",
    "#c79a45": "brass-line",
    "#eec672": "brass",
}
# What browsers and launchers ask for; a drawing has any size.
SIZES: Final = (180, 192, 512)
STATIC_MARK: Final = "casino/mark.svg"


def has_own_icon(shown: HouseContent) -> bool:
    return bool(shown.mark) or shown.palette.is_own


def icon_address(size: int = 0) -> str:
    """The icon of this size; without one its drawing."""
    shown = house.current()
    if has_own_icon(shown):
        name = f"{size}.png" if size else "any.svg"
        return reverse("house-icon", args=[shown.key, name])
    return static(f"casino/icon-{size}.png" if size else STATIC_MARK)


def drawn_address() -> str:
    """The drawing that launchers cut to any shape."""
    return icon_address() if has_own_icon(house.current()) else static(DRAWING)


def office_mark(_request: HttpRequest) -> str | None:
    return mark_address() or None


def office_icon(_request: HttpRequest) -> str:
    return icon_address()


def office_languages(_request: HttpRequest) -> list[dict[str, object]]:
    return [get_language_info(code) for code in house.current().offered]


def mark_address() -> str:
    """The uploaded picture; empty for the mark that the pages draw."""
    mark = house.current().mark
    return reverse("house-mark", args=[mark]) if mark else ""


def sheet_address() -> str:
    """The sheet of the palette; empty where the static sheets have it."""
    own = house.current().palette
    return reverse("house-sheet", args=[palette.address_part(own)]) if own.is_own else ""


def _kept(data: bytes | str, content_type: str) -> HttpResponse:
    answer = HttpResponse(data, content_type=content_type)
    answer["Cache-Control"] = KEPT
    return answer


@require_safe
def sheet(_request: HttpRequest, colours: str) -> HttpResponse:
    """The sheet of a palette, which its address names: nothing is read."""
    own = palette.from_address(colours)
    if own is None:
        raise Http404
    return _kept(palette.sheet(own, SHADES), "text/css")


@require_safe
def mark(_request: HttpRequest, digest: str) -> HttpResponse:
    row = HouseMark.objects.filter(pk=digest).first()
    if row is None:
        raise Http404
    picture = stored(row)
    return _kept(picture.data, TYPES[HouseMark.Kind(picture.kind)])


@require_safe
def icon(_request: HttpRequest, key: str, name: str) -> HttpResponse:
    """An icon of the version in force; a page that is a moment older gets that, too."""
    shown = house.current()
    size = re.fullmatch(r"([0-9]{3})\.png", name)
    if size is not None and int(size[1]) in SIZES:
        answer = _kept(_png(drawing(shown), int(size[1])), "image/png")
    elif name == "any.svg":
        answer = _kept(drawing(shown), "image/svg+xml")
    else:
        raise Http404
    if key != shown.key:
        answer["Cache-Control"] = "no-store"
    return answer


@lru_cache(maxsize=16)
def _png(drawn: str, size: int) -> bytes:
    return resvg_py.svg_to_bytes(svg_string=drawn, width=size, height=size, skip_system_fonts=True)


def drawing(shown: HouseContent) -> str:
    """The icon as an SVG: the mark within its middle, as a launcher may cut it to any shape."""
    _light, dark, _felt = palette.themes(shown.palette)
    row = HouseMark.objects.filter(pk=shown.mark).first() if shown.mark else None
    if row is None:
        text = source(DRAWING)
        for colour, name in DRAWN_IN.items():
            text = text.replace(colour, dark[name])
        return text
    picture = stored(row)
    data = b64encode(picture.data).decode()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
        f'<path fill="{dark["ground"]}" d="M0 0h24v24H0z"/><image x="3.36" y="3.36" width="17.28"'
        f' height="17.28" href="data:{TYPES[HouseMark.Kind(picture.kind)]};base64,{data}"/></svg>'
    )
