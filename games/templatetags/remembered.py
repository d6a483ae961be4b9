"""Parts of pages that are the same on many boards: each is rendered once for what it is made of.

A part is remembered by its template and everything it shows, so nobody is shown what was made for
somebody else, unless it is the same.
"""

from collections.abc import Hashable
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
    return render_to_string(template, dict(facts))
