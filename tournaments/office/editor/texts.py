"""Words and figures of the form: presets, shapes of prizes, kinds of rounds, percentages.

Each figure has a text that reads back as the same figure, so a file that is opened in the form and
stored again has not changed.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from games.profiles.options import share_text
from tournaments.mathematics.payouts import BASIS_POINTS, PLACES_MAX, Share
from tournaments.overview.words import chips
from wallets.values.amounts import require_digits
from wallets.values.errors import Refused

WHOLE: Final = re.compile(r"(\d{1,3}(?:[ ,]\d{3}){1,5}|\d{1,16})", re.ASCII)
LENGTH: Final = re.compile(r"(\d{1,5})(?::([0-5]\d))?", re.ASCII)
SHARE: Final = re.compile(r"(\d{1,3})(?:\.(\d{1,2}))?\s*%?(?:\s*[x×*]\s*(\d{1,5}))?", re.ASCII)
SECONDS_MAX: Final = 7 * 24 * 3_600


def read_whole(text: str, least: int, most: int) -> int:
    """A whole number such as 2,000; refused with a sentence if it is none, or out of bounds."""
    require_digits(text)
    if not WHOLE.fullmatch(text.strip()):
        raise Refused("number", _n("{text} is not a whole number."), text=text[:40])
    number = int(re.sub(r"[ ,]", "", text))
    if not least <= number <= most:
        raise Refused(
            "number_bounds",
            _n("Enter a number from {least} to {most}."),
            least=chips(least),
            most=chips(most),
        )
    return number


def whole_text(number: int | None) -> str:
    return "" if number is None else str(number)


def read_length(text: str) -> int:
    """Minutes such as 10, or minutes and seconds such as 1:30, in seconds."""
    require_digits(text)
    written = LENGTH.fullmatch(text.strip())
    if not written:
        raise Refused(
            "length", _n("{text} is not a length of time such as 10 or 1:30."), text=text[:40]
        )
    minutes, seconds = written.groups(default="0")
    length = 60 * int(minutes) + int(seconds)
    if not 1 <= length <= SECONDS_MAX:
        raise Refused("length_bounds", _n("Enter a length from one second to seven days."))
    return length


def length_text(seconds: int | None) -> str:
    """A length as `read_length` reads it again."""
    if seconds is None:
        return ""
    minutes, left = divmod(seconds, 60)
    return f"{minutes}:{left:02}" if left else str(minutes)


def read_shares(text: str) -> tuple[Share, ...]:
    """Shares of the pool such as `50, 30, 10 × 2`, from the first place down."""
    require_digits(text)
    shares = []
    for part in text.split(","):
        written = SHARE.fullmatch(part.strip())
        if not written:
            raise Refused(
                "share",
                _n("{text} is not a percentage such as 12.5, or 5 × 3 for three places."),
                text=part.strip()[:40],
            )
        whole, decimals, places = written.groups(default="")
        share = int(whole) * 100 + int(decimals.ljust(2, "0") or 0)
        shares.append(Share(_within(share, BASIS_POINTS), _within(int(places or 1), PLACES_MAX)))
    return tuple(shares)


def shares_text(shares: Iterable[Share]) -> str:
    """Shares as `read_shares` reads them again."""
    return ", ".join(
        share_text(share.share) + (f" × {share.places}" if share.places > 1 else "")
        for share in shares
    )


def _within(number: int, most: int) -> int:
    if not 1 <= number <= most:
        raise Refused("share_bounds", _n("A share is above 0 and at most 100 %."))
    return number


class PresetWords(NamedTuple):
    """The name of a preset, which becomes the event's, and what it is for."""

    title: str | Promise
    says: str | Promise


PRESET_WORDS: Final[dict[str, PresetWords]] = {
    "sit_and_go": PresetWords(
        _("Sit-and-go"),
        _("One table that starts when it is full. Over in half an hour."),
    ),
    "evening": PresetWords(
        _("Evening knock-out"),
        _("A line rises with the levels. Players who fall below it are out. Over in an hour."),
    ),
    "freezeout": PresetWords(
        _("Freeze-out with re-entry"),
        _("Many tables down to one player. Late registration, one re-entry, a guarantee."),
    ),
    "fixed_rounds": PresetWords(
        _("Knock-out to fixed rounds (打立出局)"),
        _("A knock-out down to twelve, who play two rounds with drawn seats for the prizes."),
    ),
    "swiss_rounds": PresetWords(
        _("Knock-out to Swiss rounds (瑞士移位)"),
        _("A knock-out down to twelve. Then winners meet winners for four rounds."),
    ),
    "duplicate": PresetWords(
        _("Duplicate"),
        _("Every table plays the same deals, and results are compared. No player is eliminated."),
    ),
    "free": PresetWords(
        _("Free event"),
        _("Entry is free; the house pays the prizes from its guarantee."),
    ),
    "satellite": PresetWords(
        _("Satellite"),
        _("Every fifth entrant wins a ticket: a prize that pays the entry to another event."),
    ),
}

SHAPES: Final = [
    ("flat", _("flat: small differences")),
    ("even", _("even: each place clearly more")),
    ("steep", _("steep: most for the first")),
    ("equal", _("equal: tickets for another event")),
]
PRIZE_WAYS: Final = [
    ("curve", _("by a curve")),
    ("shares", _("by shares you enter")),
    ("amounts", _("fixed amounts")),
]
LENGTHS: Final = [("time", _("time")), ("hands", _("hands"))]
MANNERS: Final = [
    ("swiss", _("Swiss rounds: winners meet winners")),
    ("fixed", _("Fixed rounds: seats are drawn")),
]
ROUNDS: Final = [("", _("none: it ends there")), *MANNERS]
