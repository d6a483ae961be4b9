"""A search by cards is in the journal: it tells what seats held and never showed.

There is one entry for each different search on a day, however many of its pages are read, and
even if it finds nothing, because "nothing" is an answer, too. All other filters ask for what
every spectator of the hand has read: its moves, its settlement with naturals and fouls, its
options, and the totals of banker and player at baccarat.
"""

from datetime import datetime
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from games.records.card_index import hashed
from games.records.card_query import CardTerms
from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE
from games.records.search_filters import Search
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal
from wallets.storage.signing import canonical
from wallets.values.days import day_of, start_of
from wallets.values.player import Viewer

SEARCHED: Final = journal.register(
    "hands.search_cards",
    _("Searched hands by cards"),
    needs_reason=False,
    permission=AUDIT,
    also=REVERSE,
)
# The cards that the house opens in every hand.
OPEN: Final = ("banker:", "player:")


def note(user: Viewer, search: Search, now: datetime) -> None:
    """Write the day's first entry of a search that tells hidden cards."""
    if not tells_hidden_cards(search):
        return
    requested = _requested(search)
    subject = f"search:{sha256(canonical(requested)).hexdigest()[:16]}"
    if _is_noted(user, subject, now):
        return
    with transaction.atomic():
        own = get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk)
        own.values_list("pk").first()
        # Two pages opened simultaneously write one entry.
        if not _is_noted(user, subject, now):
            journal.write(
                journal.by(user),
                SEARCHED,
                subject,
                before={},
                after={"day": day_of(now), **requested},
                reason="",
                now=now,
            )


def tells_hidden_cards(search: Search) -> bool:
    terms = search.cards or CardTerms()
    return bool(terms.player) or any(not token.startswith(OPEN) for token in terms.house)


def _requested(search: Search) -> dict[str, object]:
    """Every filter that narrows the search; players are numbers, and an address is a hash."""
    terms = search.cards or CardTerms()
    given: dict[str, object] = search._asdict() | {"cards": sorted((*terms.player, *terms.house))}
    if search.address:
        given["address"] = hashed(search.address, settings.SEALING_KEYS[0])
    nothing = (None, "", ())
    return {name: journal.value_of(value) for name, value in given.items() if value not in nothing}


def _is_noted(user: Viewer, subject: str, now: datetime) -> bool:
    """The newest entry decides: times of entries never run backwards."""
    begins = start_of(day_of(now))
    entries = JournalEntry.objects.filter(
        subject=subject, actor=journal.by(user).reference, verb=SEARCHED
    )
    last = entries.order_by("-position").values_list("at", flat=True).first()
    return last is not None and last >= begins
