"""By which settings a hand was played: the key under which reports add up hands of one profile.

A table without a published profile has its own settings, and their hash is the key. This is the
only place that knows how a profile is found.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from django.utils.translation import gettext as _

from games.models.profiles import ProfileVersion
from wallets.storage.canonical_json import canonical

OWN: Final = "own"
VERSION: Final = "version"


def profile_of(game: str, options: Mapping[str, object], version: int | None) -> str:
    """The key of a hand's profile: its version, or else the hash of its table's own settings."""
    if version is not None:
        return f"{VERSION}-{version}"
    return f"{OWN}-{sha256(canonical({'game': game, 'options': options})).hexdigest()[:12]}"


def profile_in_words(profile: str) -> str:
    kind, _dash, rest = profile.partition("-")
    if kind == OWN:
        return _("own settings {digest}").format(digest=rest)
    return str(ProfileVersion.objects.select_related("profile").get(pk=rest))
