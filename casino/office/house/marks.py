"""The mark of the house: an uploaded picture, written anew from what was read of it, or refused.

Of an SVG only drawn shapes remain: no scripts, no styles, nothing that is fetched. A PNG becomes a
PNG of its points alone.
"""

import io
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from django.utils.translation import gettext_noop as _n

from casino.office.models import HouseMark
from wallets.values.errors import Refused
from wallets.values.house import DIGITS

BYTES_MAX: Final = 256 * 1024
POINTS_MAX: Final = 4096
SIDE_MAX: Final = 512
ELEMENTS_MAX: Final = 500
# How deep groups lie in groups: a drawing that a person has made needs a few.
DEPTH_MAX: Final = 32
SVG: Final = "http://www.w3.org/2000/svg"
PNG_BEGINS: Final = b"\x89PNG\r\n\x1a\n"

DRAWN: Final = frozenset(
    [
        "svg",
        "g",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "defs",
        "linearGradient",
        "radialGradient",
        "stop",
        "clipPath",
        "title",
    ]
)
ATTRIBUTES: Final = frozenset(
    [
        "id",
        "d",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "fx",
        "fy",
        "width",
        "height",
        "points",
        "viewBox",
        "preserveAspectRatio",
        "transform",
        "gradientTransform",
        "gradientUnits",
        "spreadMethod",
        "offset",
        "stop-color",
        "stop-opacity",
        "fill",
        "fill-opacity",
        "fill-rule",
        "clip-rule",
        "clip-path",
        "stroke",
        "stroke-width",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-miterlimit",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-opacity",
        "opacity",
        "color",
        "href",
    ]
)
# What an attribute may name is another part of the same drawing.
PART: Final = re.compile(r"#[\w-]{1,60}", re.ASCII)
NAMES: Final = re.compile(r"url\(\s*['\"]?(?!#)|javascript:|data:", re.IGNORECASE)
LENGTH: Final = re.compile(r"\s*([0-9]{1,5}(?:\.[0-9]{1,4})?)(?:px)?\s*")


class Mark(NamedTuple):
    kind: str
    data: bytes

    @property
    def digest(self) -> str:
        return sha256(self.data).hexdigest()[:DIGITS]

    @property
    def row(self) -> HouseMark:
        return HouseMark(self.digest, self.kind, b64encode(self.data).decode())


def read(uploaded: bytes) -> Mark:
    """The picture that a member of staff has sent."""
    if len(uploaded) > BYTES_MAX:
        raise Refused("mark_size", _n("A mark has at most {most} KB."), most=BYTES_MAX // 1024)
    if uploaded.startswith(PNG_BEGINS):
        return Mark(HouseMark.Kind.PNG, _png(uploaded))
    return Mark(HouseMark.Kind.SVG, _svg(uploaded))


def stored(row: HouseMark) -> Mark:
    return Mark(row.kind, b64decode(row.data))


def _png(uploaded: bytes) -> bytes:
    # The library is large, and few requests need it.
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415

    try:
        with Image.open(io.BytesIO(uploaded), formats=["PNG"]) as picture:
            if max(picture.size) > POINTS_MAX:
                raise Refused(
                    "mark_points", _n("A mark is at most {most} pixels wide."), most=POINTS_MAX
                )
            points = picture.convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise _unreadable() from None
    points.thumbnail((SIDE_MAX, SIDE_MAX))
    # Pages have a square for it.
    side = max(points.size)
    anew = Image.new("RGBA", (side, side))
    anew.paste(points, ((side - points.width) // 2, (side - points.height) // 2))
    out = io.BytesIO()
    anew.save(out, "PNG", optimize=True)
    return out.getvalue()


def _svg(uploaded: bytes) -> bytes:
    try:
        root = fromstring(uploaded.decode("utf-8"), forbid_dtd=True)
    except (ElementTree.ParseError, DefusedXmlException, UnicodeDecodeError, ValueError):
        raise _unreadable() from None
    if root.tag != f"{{{SVG}}}svg":
        raise _unreadable()
    if sum(1 for _element in root.iter()) > ELEMENTS_MAX:
        raise Refused("mark_parts", _n("A mark has at most {most} shapes."), most=ELEMENTS_MAX)
    anew = _drawn(root)
    if "viewBox" not in anew.attrib:
        anew.set("viewBox", f"0 0 {_length(root, 'width')} {_length(root, 'height')}")
    for name in ("width", "height"):
        anew.attrib.pop(name, None)
    anew.set("xmlns", SVG)
    return ElementTree.tostring(anew)


def _drawn(element: Element, depth: int = 0) -> Element:
    """A shape with what is drawn of it; what is not drawn is refused rather than lost."""
    if depth > DEPTH_MAX:
        raise _unreadable()
    name = str(element.tag).removeprefix(f"{{{SVG}}}")
    if name not in DRAWN:
        raise Refused(
            "mark_shape",
            _n("A mark may have plain shapes only, not {name}."),
            name=_bare(element.tag),
        )
    anew = Element(name, dict(_attributes(element)))
    if name == "title":
        anew.text = element.text
    anew.extend([_drawn(child, depth + 1) for child in element if isinstance(child.tag, str)])
    return anew


def _attributes(element: Element) -> Iterator[tuple[str, str]]:
    for full, value in element.attrib.items():
        name = _bare(full)
        if full.startswith("{") and name != "href":
            # What programs for drawing note for themselves.
            continue
        names_part = name != "href" or PART.fullmatch(value)
        if name.startswith("data-") or name in ("version", "class"):
            continue
        if name not in ATTRIBUTES or not names_part or NAMES.search(value):
            raise Refused("mark_attribute", _n("A mark must not have {name}."), name=name[:40])
        yield name, value


def _bare(name: object) -> str:
    return str(name).rpartition("}")[2][:40]


def _length(root: Element, name: str) -> str:
    match = LENGTH.fullmatch(root.get(name, ""))
    if match is None:
        raise _unreadable()
    return match[1]


def _unreadable() -> Refused:
    return Refused(
        "mark_unreadable", _n("A mark is a picture as SVG or PNG; this file is neither.")
    )
