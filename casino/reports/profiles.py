"""By which settings a hand was played: the key under which reports add up hands of one profile.

A table without a published profile has settings of its own, and their hash is the key. This is the
only place that knows how a profile is found.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final

from django.utils.translation import gettext as _

from wallets.canonical_json import canonical

OWN: Final = "own"


def profile_of(game: str, options: Mapping[str, Any]) -> str:
    """The key of a hand's profile: the same settings of the same game give the same key."""
    return f"{OWN}-{sha256(canonical({'game': game, 'options': options})).hexdigest()[:12]}"


def profile_in_words(profile: str) -> str:
    kind, _dash, digest = profile.partition("-")
    return _("own settings {digest}").format(digest=digest) if kind == OWN else profile
