"""The one memory of markup: parts that are the same on many pages are rendered once.

A part is remembered by its template, everything it shows, and the language, so nobody is shown what
was rendered for somebody else, unless it is the same. `docs/pages.md` says what it saves. Do not
render a whole hand of hidden cards as one part: the key of a part outlives the hand.
"""

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import Final

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

PARTS_REMEMBERED: Final = 8192


def remembered(template: str, **facts: Hashable) -> SafeString:
    return _rendered(template, tuple(facts.items()), get_language())


@lru_cache(PARTS_REMEMBERED)
def _rendered(
    template: str, facts: tuple[tuple[str, Hashable], ...], _language: str | None
) -> SafeString:
    # A file ends with a line break, which would stand between a card and the word behind it.
    return SafeString(render_to_string(template, dict(facts)).strip())  # a template escapes # nosec B703


def joined(parts: Iterable[SafeString]) -> SafeString:
    """Parts of markup one behind the other; the type checker refuses a part that is plain text."""
    return SafeString("".join(parts))  # all of them escaped # nosec B703
