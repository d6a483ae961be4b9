"""Shifts: opened with a count, counted in between, and closed with a count.

A count that differs from the ledger is a variance. Opening and closing post it, with the cashier's
words, so that afterwards the till holds in the ledger what it holds in the drawer; from
`APPROVAL_VARIANCE` on a second person must say yes.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.conf import settings
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from casino.office.desk import cash, receipts
from casino.office.desk.models import NAME_MAX, Count, Receipt, Shift, Till
from wallets.models import Currency
from wallets.models.holders import lock_player
from wallets.models.staff_models import Proposal
from wallets.money import cashier, limits
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, currency_of, money
from wallets.values.amounts import require_bounds
from wallets.values.errors import Refused
from wallets.values.player import Viewer

WORK: Final = receipts.WORK
MANAGE: Final = "desk.manage_tills"
VARIANCE: Final = "till_variance"
OPEN: Final = "shift.open"
CLOSE: Final = "shift.close"
COUNTED: Final = journal.register("shift.count", _("Count"), needs_reason=False, permission=WORK)
ADDED: Final = journal.register("till.add", _("Add a till"), permission=MANAGE)
SHORT: Final = _("{amount} short: what happened? Say it in your own words.")
OVER: Final = _("{amount} too much: what happened? Say it in your own words.")
DIFFERS: Final = _("The count differs from the ledger: count again, or say what happened.")
# By the code of a currency, in minor units.
Counted = Mapping[str, int]


def own_shift(member: Viewer) -> Shift | None:
    """The shift that a cashier works in now."""
    shifts = Shift.objects.filter(cashier_id=member.pk, closed_at=None)
    return shifts.select_related("till").first()


def shift_at(till: Till | None) -> Shift | None:
    if till is None:
        return None
    return Shift.objects.filter(till=till, closed_at=None).select_related("till").first()


def require_own(shift: Shift, member: Viewer) -> None:
    """Let a shift be counted by its cashier, or by members who manage tills."""
    if shift.cashier_id != member.pk and not member.has_perm(MANAGE):
        raise Refused("not_your_shift", _("This is another cashier's shift."))


def till_of(number: object) -> Till:
    """A till in which cashiers work: not the vault."""
    till = None
    if type(number) is int:
        till = Till.objects.filter(pk=number, is_vault=False).first()
    if till is None:
        raise Refused("no_such_till", _("There is no such till."))
    return till


@under(ADDED)
def add_till(member: Viewer, name: str, reason: str, now: datetime) -> Till:
    name = " ".join(name.split())
    if not 1 <= len(name) <= NAME_MAX or not name.isprintable():
        raise Refused("till_name", _("A till has a name of 1 to {most} characters."), most=NAME_MAX)
    with transaction.atomic():
        cash.vault()
        till, created = Till.objects.get_or_create(name=name)
        if not created:
            raise Refused("till_exists", _("There is a till of this name."))
        journal.write(
            journal.by(member),
            ADDED,
            till.reference,
            before={},
            after={"name": name},
            reason=reason,
            now=now,
        )
    return till


class Counting(Permitted):
    """A count at one end of a shift. Arguments: `till`, `counted`, and `pieces`, by currency."""

    permission = WORK
    kind: Count.Kind
    # The reason of a count that agrees with the ledger; it explains no variance.
    usual: str | Promise

    def check(self, arguments: Arguments) -> Arguments:
        counted, pieces = arguments.get("counted"), arguments.get("pieces") or {}
        if not isinstance(counted, Mapping) or not isinstance(pieces, Mapping):
            raise Refused("count", _("A count is a sum for each currency."))
        for code, amount in counted.items():
            require_bounds(amount, currency_of(code), least=0)
        till = till_of(arguments.get("till"))
        return {"till": till.pk, "counted": dict(counted), "pieces": dict(pieces)}

    def subject(self, arguments: Arguments) -> str:
        return f"till:{arguments['till']}"

    def state(self, arguments: Arguments) -> Arguments:
        """A count is about what the till held when it was counted."""
        till = till_of(arguments["till"])
        cash.lock(till)
        return {"held": cash.held_by(till)}

    def require_all(self, order: Order) -> None:
        """Refuse a count that leaves out a currency that the till holds."""
        for code in cash.held_by(till_of(order.arguments["till"])):
            if code not in order.arguments["counted"]:
                raise Refused(
                    "not_counted", _("Count {currency} too: the till holds it."), currency=code
                )

    def require_explained(self, order: Order) -> None:
        """Refuse a variance for which the cashier has no words of their own."""
        if order.reason not in _in_every_language(self.usual):
            return
        till = till_of(order.arguments["till"])
        for currency, variance in variances(till, order.arguments["counted"]):
            if variance:
                raise Refused(
                    "variance_unexplained",
                    self.unexplained(variance),
                    amount=money(abs(variance), currency),
                )

    def unexplained(self, variance: int) -> str | Promise:
        """The sentence for a cashier who has counted so much more, or less."""
        return SHORT if variance < 0 else OVER

    def needs_approval(self, order: Order) -> bool:
        if self.is_done(order):
            return False
        till = till_of(order.arguments["till"])
        lock_player(order.maker)
        cash.lock(till)
        return any(
            variance and limits.reaches("variance", abs(variance), currency)
            for currency, variance in variances(till, order.arguments["counted"])
        )

    def is_done(self, order: Order) -> bool:
        raise NotImplementedError

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        lines = []
        for code, counted in sorted(arguments["counted"].items()):
            currency = currency_of(code)
            expected = state.get("held", {}).get(code, 0)
            words = _("Counted in {currency}").format(currency=code)
            lines.append(Change(words, money(expected, currency), money(counted, currency)))
        return lines

    def book(self, shift: Shift, order: Order) -> dict[str, Any]:
        """Store the counts and post the variances; return what the journal says of them."""
        counts = {}
        who = journal.by(order.maker)
        for code, counted in sorted(order.arguments["counted"].items()):
            currency = currency_of(code)
            expected = cash.cash_in(shift.till, currency)
            store(shift, self.kind, currency, counted, order)
            variance = counted - expected
            counts[code] = {"counted": counted, "variance": variance}
            if not variance:
                continue
            ends = cash.variance_account(currency), cash.cash_account(shift.till, currency)
            source, target = ends if variance > 0 else ends[::-1]
            key = uuid5(order.key, code)
            posted = cashier.move_cash(
                VARIANCE, source, target, abs(variance), key=key,
                actor=who.reference, reason=order.reason,
            )  # fmt: skip
            receipts.issue(
                Receipt.Kind.VARIANCE, order, posted, currency, variance, shift=shift, key=key
            )
        return counts


class OpenShift(Counting):
    name, words, kind = OPEN, _("Open a shift"), Count.Kind.OPENING
    usual = _("Opening count")

    def unexplained(self, variance: int) -> str | Promise:
        """Without the amount: no count of this shift is stored yet, and counting is blind."""
        return DIFFERS

    def is_done(self, order: Order) -> bool:
        return Shift.objects.filter(key=order.key).exists()

    def admit(self, order: Order) -> None:
        if self.is_done(order):
            return
        if shift_at(till_of(order.arguments["till"])):
            raise Refused("till_taken", _("Another cashier is working at this till."))
        if own_shift(order.maker):
            raise Refused("shift_open", _("Your shift at another till is open: close it first."))
        self.require_all(order)
        self.require_explained(order)

    def carry_out(self, order: Order) -> Shift:
        till = till_of(order.arguments["till"])
        with transaction.atomic():
            lock_player(order.maker)
            cash.lock(till)
            done = Shift.objects.filter(key=order.key).first()
            if done:
                return done
            # Another process may have changed it before the lock.
            self.admit(order)
            shift = Shift.objects.create(
                till=till,
                cashier_id=order.maker.pk,
                cashier_name=order.maker.username,
                opened_at=order.now,
                key=order.key,
            )
            counts = self.book(shift, order)
            _note(self.name, order, shift, {}, counts)
        return shift


class CloseShift(Counting):
    name, words, kind = CLOSE, _("Close a shift"), Count.Kind.CLOSING
    usual = _("Closing count")

    def is_done(self, order: Order) -> bool:
        return Count.objects.filter(key=order.key).exists()

    def admit(self, order: Order) -> None:
        if self.is_done(order):
            return
        shift = shift_at(till_of(order.arguments["till"]))
        if shift is None:
            raise Refused("no_shift", _("No shift is open at this till."))
        require_own(shift, order.maker)
        self.require_all(order)
        self.require_explained(order)

    def carry_out(self, order: Order) -> Shift | None:
        till = till_of(order.arguments["till"])
        with transaction.atomic():
            cash.lock(till)
            if self.is_done(order):
                return None
            self.admit(order)
            shift = shift_at(till)
            assert shift is not None, "it was admitted under the lock"
            counts = self.book(shift, order)
            shift.closed_at = max(order.now, shift.opened_at)
            shift.save(update_fields=["closed_at"])
            _note(self.name, order, shift, {"opened_at": shift.opened_at}, counts)
        return shift


def require_no_waiting_count(*tills: Till | None) -> None:
    """Refuse to move cash of a till whose count waits for a second person.

    The count says what the till held when it was made; cash that moved would make it stale. The
    caller has locked the tills.
    """
    subjects = [till.reference for till in tills if till]
    counts = Proposal.objects.filter(
        status=Proposal.Status.PROPOSED, verb__in=(OPEN, CLOSE), subject__in=subjects
    )
    if counts.exists():
        raise Refused(
            "till_counted",
            _("The count of this till waits for a colleague; until then its cash does not move."),
        )


def _in_every_language(words: str | Promise) -> set[str]:
    texts = set()
    for code, _name in settings.LANGUAGES:
        with override(code):
            texts.add(str(words))
    return texts


def _note(verb: str, order: Order, shift: Shift, before: Any, counted: dict[str, object]) -> None:
    order.note(
        verb, shift.reference, before=before, after={"till": shift.till.name, "counted": counted}
    )


def variances(till: Till, counted: Counted) -> list[tuple[Currency, int]]:
    """Return the counted amounts minus the ledger's, by currency."""
    currencies = [currency_of(code) for code in sorted(counted)]
    return [
        (currency, counted[currency.code] - cash.cash_in(till, currency)) for currency in currencies
    ]


def store(shift: Shift, kind: Count.Kind, currency: Currency, counted: int, order: Order) -> Count:
    return Count.objects.create(
        shift=shift,
        kind=kind,
        currency=currency,
        counted=counted,
        expected=cash.cash_in(shift.till, currency),
        pieces=order.arguments["pieces"].get(currency.code, {}),
        words=order.reason,
        at=order.now,
        key=order.key,
    )


def is_counted(shift: Shift, counted: Counted) -> bool:
    """Whether exactly this was counted last in the open shift, and no cash has moved since."""
    return bool(counted) and all(
        last is not None
        and (last.counted, last.expected) == (amount, cash.cash_in(shift.till, currency_of(code)))
        for code, amount in counted.items()
        for last in [shift.counts.filter(currency=code).order_by("pk").last()]
    )


@under(COUNTED)
def count(
    member: Viewer, counted: Counted, pieces: Mapping[str, object], *, words: str, key: UUID,
    now: datetime,
) -> None:  # fmt: skip
    """Store a count of the own till in between."""
    shift = own_shift(member)
    if shift is None:
        raise Refused("no_shift", _("Open a shift first."))
    arguments = {"till": shift.till_id, "counted": counted, "pieces": pieces}
    count_in(shift, Order(arguments, member, journal.reason_of(words, needed=False), key, now))


def count_in(shift: Shift, order: Order) -> None:
    """Store a count of a shift in between; it moves nothing."""
    require_own(shift, order.maker)
    order = order._replace(arguments=OpenShift().check(order.arguments))
    with transaction.atomic():
        cash.lock(shift.till)
        if Count.objects.filter(key=order.key).exists():
            return
        before = cash.held_by(shift.till)
        for code, amount in sorted(order.arguments["counted"].items()):
            store(shift, Count.Kind.BETWEEN, currency_of(code), amount, order)
        journal.write(
            journal.by(order.maker),
            COUNTED,
            shift.reference,
            before={"held": before},
            after={"counted": dict(order.arguments["counted"])},
            reason=order.reason,
            now=order.now,
        )
