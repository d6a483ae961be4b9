"""The rules for players' names and passwords, with sentences in every language of the site.

Players trust the names that they see at a table. So two names that look alike are the same name,
a player cannot sign up as the house, and a name cannot mix letters of scripts that look alike.
"""

import re
import unicodedata
from typing import Any, Final

from django.contrib.auth.password_validation import MinimumLengthValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

LENGTH_MIN: Final = 2  # Chinese names are often two characters long.
LENGTH_MAX: Final = 20
# The longest accepted input, as marks can be typed apart from their letters. Longer input is never
# a name, and normalising it takes time proportional to the square of its length.
TYPED_MAX: Final = 100

# Staff, and words that players would take for the house.
RESERVED: Final = frozenset(
    """
    admin administrator auditor bank banker bot bots cardroom cashier casino croupier dealer floor
    guest host house manager moderator official operator owner player root staff support system
    technician
    游客 遊客 访客 訪客
    荷官 莊家 庄家 銀行 银行 賭場 赌场 客服 管理 管理員 管理员 系統 系统 官方 機器人 机器人
    """.split()  # noqa: SIM905
)

# Scripts that one language mixes, or that are used with Latin letters every day.
EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "LATIN"})

# Letters that look like Latin ones but belong to another script or to phonetic notation. If a name
# consisted only of these, names could not be told apart.
READ_AS_LATIN: Final = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲϳАВЕЅІЈКМНОРСТУХЬаеѕіјорсухһԁԛԝӏ")
SOUNDS: Final = ("\u0250", "\u02ff")

# Letters and digits that most screens draw alike, or nearly so.
DRAWN_ALIKE: Final = {"i": "l", "1": "l", "0": "o", "rn": "m", "vv": "w"}

# Letters, digits and their marks, separated by single dots, hyphens or underscores.
_SHAPE = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*")


def name_key(name: str) -> str:
    """Return the same key for all spellings of one name: wide or narrow, upper or lower case."""
    folded = unicodedata.normalize("NFKC", name[:TYPED_MAX]).casefold()
    return unicodedata.normalize("NFKC", folded)


def reads_as(name: str) -> str:
    """Return the same text for names that look alike: `aIice` must not pass for `alice`."""
    key = name_key(name)
    for drawn, read in DRAWN_ALIKE.items():
        key = key.replace(drawn, read)
    return key


HOUSES_OWN: Final = frozenset(map(reads_as, RESERVED))


def validate_name(name: str) -> None:
    """Raise unless the name is valid; `name` is in form NFKC, as the manager stores it."""
    if not LENGTH_MIN <= len(name) <= LENGTH_MAX:
        raise ValidationError(
            _("A name has %(least)d to %(most)d characters."),
            code="length",
            params={"least": LENGTH_MIN, "most": LENGTH_MAX},
        )
    if not _SHAPE.fullmatch(name) or not any(character.isalpha() for character in name):
        raise ValidationError(
            _("A name is made of letters and digits, with single dots, hyphens or _ between them."),
            code="characters",
        )
    scripts = {
        unicodedata.name(character, "").split(" ")[0].partition("-")[0]
        for character in name
        if character.isalpha()
    }
    if len(scripts) > 1 and not scripts <= EAST_ASIAN:
        raise ValidationError(_("A name cannot mix letters of different scripts."), code="scripts")
    letters = {character for character in name if character.isalpha()}
    others = {character for character in name if character.isdigit() and not character.isascii()}
    sounds = {letter for letter in letters if SOUNDS[0] <= letter <= SOUNDS[1] or letter in "ıĸ"}
    if others or sounds or letters <= READ_AS_LATIN:
        raise ValidationError(
            _(
                "Some of these characters look like others. Choose characters that cannot be "
                "confused."
            ),
            code="alike",
        )


def validate_free_for_players(name: str) -> None:
    """Refuse names under which a player could pass for the house."""
    numbered = re.sub(r"[\W\d_]", "", name_key(name), flags=re.UNICODE)
    read = re.sub(r"[\W\d_]", "", reads_as(name), flags=re.UNICODE)
    if {reads_as(numbered), read} & HOUSES_OWN:
        raise ValidationError(_("This name is reserved."), code="reserved")


# Staff move money and see cards, so their passwords are longer.
STAFF_LENGTH: Final = 12


class LengthValidator(MinimumLengthValidator):
    """Django's own, with our sentence, because its simplified Chinese catalogue has lost it."""

    def validate(self, password: str, user: Any = None) -> None:
        is_staff = user is not None and (user.is_staff or user.is_superuser)
        least = max(STAFF_LENGTH, self.min_length) if is_staff else self.min_length
        if len(password) < least:
            raise ValidationError(_too_short(least), code="password_too_short")

    def get_error_message(self) -> str:
        return _too_short(self.min_length)


def _too_short(least: int) -> str:
    return ngettext(
        "This password is too short. It must contain at least {least} character.",
        "This password is too short. It must contain at least {least} characters.",
        least,
    ).format(least=least)
