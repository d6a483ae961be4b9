"""Letters to players, as their readers see them."""

import re
from typing import Any

from django.core import mail


def latest() -> Any:
    return mail.outbox[-1]


def link_in(letter: Any) -> str:
    """The path of the only link in a letter."""
    (link,) = re.findall(r"^https?://[^/\s]+(/\S+)$", str(letter.body), re.MULTILINE)
    return str(link)
