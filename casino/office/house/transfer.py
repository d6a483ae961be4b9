"""A version as one file: everything that it says, and its mark, so another house can begin with it.

What comes in is checked like what is typed, and becomes a draft.
"""

from base64 import b64decode, b64encode
from typing import Final, Literal

import msgspec
from django.utils.translation import gettext_noop as _n

from casino.office.house import content as contents
from casino.office.house import marks
from casino.office.house.marks import Mark
from casino.office.models import HouseMark
from wallets.models import Currency
from wallets.values.errors import Refused
from wallets.values.house import HouseContent

FORMAT: Final = "house-1"
BYTES_MAX: Final = 1024 * 1024


class HouseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: its format, the content without the mark, and the picture of the mark in base64."""

    format: Literal["house-1"]
    content: HouseContent
    mark: str = ""


def exported(content: HouseContent) -> bytes:
    row = HouseMark.objects.filter(pk=content.mark).first() if content.mark else None
    picture = b64encode(marks.stored(row).data).decode() if row else ""
    file = {
        "format": FORMAT,
        "content": contents.encoded(contents.with_mark(content, "")),
        "mark": picture,
    }
    return msgspec.json.format(msgspec.json.encode(file, order="sorted"), indent=2) + b"\n"


def imported(sent: bytes) -> tuple[HouseContent, Mark | None]:
    """The content of a file, and its mark; names of currencies that are not here are left out."""
    try:
        file = msgspec.json.decode(sent, type=HouseFile)
        picture = b64decode(file.mark, validate=True)
    except (msgspec.MsgspecError, ValueError):
        raise Refused("house_file", _n("This is not a file of a house.")) from None
    content = contents.with_mark(file.content, "")
    known = set(Currency.objects.values_list("code", flat=True))
    here = {code: text for code, text in content.units.items() if code in known}
    content = msgspec.structs.replace(content, units=here)
    return content, marks.read(picture) if picture else None
