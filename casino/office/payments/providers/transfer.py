"""Bank transfers: a member of staff sees that one has arrived, or makes one.

The bank is no program, so nothing is confirmed or listed here; the verbs of staff say what was
seen, from the usual thresholds on with a second person.
"""

from datetime import datetime

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from wallets.payments import Declined, Line, Outcome, Refund, Refunded, Started, State, Wanted


class Transfer:
    name = "transfer"
    words: str | Promise = _("Bank transfer")

    def takes(self, currency: str, exponent: int) -> bool:
        return True

    def start(self, wanted: Wanted) -> Started:
        """The word by which the house recognises the transfer on its statement."""
        return Started(f"T{wanted.number:06}")

    def confirm(self, reference: str) -> Outcome:
        return Outcome(State.WAITING)

    def refund(self, refund: Refund) -> Refunded:
        raise Declined("a transfer is returned by hand")

    def reconcile(self, since: datetime, until: datetime) -> list[Line] | None:
        return None
