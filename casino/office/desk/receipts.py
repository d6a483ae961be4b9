"""Receipts: their numbers, how one is written, found, and printed with a barcode."""

from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.office.desk import cash
from casino.office.desk.models import Receipt, Shift, Till
from wallets.models import Currency
from wallets.money.ledger import Posted
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Order
from wallets.values.amounts import WRITTEN, read_amount, show_amount, show_signed
from wallets.values.days import day_of, in_house_zone
from wallets.values.errors import Refused
from wallets.values.house import house_name
from wallets.values.player import Viewer

SEE_ALL: Final = "desk.see_every_till"
WORK: Final = "desk.work_till"
FOUND_MAX: Final = 50
PRINTED: Final = journal.register(
    "receipt.print", _("Print a receipt"), needs_reason=False, permission=WORK
)
_LETTERS: Final = {Receipt.Kind.CORRECTION: "C", Receipt.Kind.TRANSFER: "V"}


def issue(  # noqa: PLR0913 - what a receipt says
    kind: str,
    order: Order,
    posted: Posted,
    currency: Currency,
    amount: int,
    *,
    shift: Shift | None = None,
    till: Till | None = None,
    **given: Any,
) -> Receipt:
    """Write the receipt of a posting, in its transaction.

    The posting holds the lock of the desk's book until then, so numbers have no gaps.
    """
    till = shift.till if shift else till
    day = day_of(order.now)
    serial = _next(day)
    return Receipt.objects.create(
        number=number_of(kind, day, serial),
        day=day,
        serial=serial,
        kind=kind,
        till=till,
        shift=shift,
        currency=currency,
        amount=amount,
        till_after=cash.cash_in(till, currency) if till else None,
        cashier_id=order.maker.pk,
        cashier_name=order.maker.username,
        second_name=order.checker.username if order.checker else "",
        reason=order.reason,
        key=given.pop("key", order.key),
        posting=posted.transaction,
        at=order.now,
        **given,
    )


def number_of(kind: str, day: date, serial: int) -> str:
    return f"{_LETTERS.get(Receipt.Kind(kind), 'R')}-{day:%y%m%d}-{serial:04}"


def _next(day: date) -> int:
    last = Receipt.objects.filter(day=day).aggregate(last=Max("serial"))["last"]
    return (last or 0) + 1


def visible_to(member: Viewer) -> QuerySet[Receipt]:
    """All of them for managers and auditors; for a cashier those of their own shifts."""
    receipts = Receipt.objects.select_related("currency", "till", "to_till", "player", "shift")
    if member.has_perm(SEE_ALL):
        return receipts
    return receipts.filter(Q(shift__cashier_id=member.pk) | Q(to_shift__cashier_id=member.pk))


def search(member: Viewer, text: str) -> list[Receipt]:
    """By number, by the name of a player, or by an amount in whole units of any currency."""
    text = text.replace("\0", "").strip()
    receipts = visible_to(member)
    if text:
        wanted = Q(number__iexact=text) | Q(player__username__istartswith=text)
        for currency in Currency.objects.all() if WRITTEN.fullmatch(text) else ():
            wanted |= _of_amount(text, currency)
        receipts = receipts.filter(wanted)
    return list(receipts.order_by("-pk")[:FOUND_MAX])


def _of_amount(text: str, currency: Currency) -> Q:
    try:
        amount = read_amount(text, currency)
    except Refused:
        return Q()
    return Q(currency=currency, amount__in=(amount, -amount))


@under(PRINTED)
def print_one(member: Viewer, receipt: Receipt, now: datetime) -> None:
    """Count a print; the second one and all later ones say that they are copies."""
    with transaction.atomic():
        held = Receipt.objects.select_for_update(no_key=True).get(pk=receipt.pk)
        Receipt.objects.filter(pk=held.pk).update(prints=F("prints") + 1)
        journal.write(
            journal.by(member),
            PRINTED,
            receipt.reference,
            before={"prints": held.prints},
            after={"prints": held.prints + 1},
            reason="",
            now=now,
        )


def effective(receipt: Receipt) -> int:
    """Return a receipt's amount with its corrections, always positive."""
    later = sum(receipt.corrections.values_list("amount", flat=True))
    return abs(receipt.amount + later)


# By value, the widths of three bars and three spaces, in modules; the last one is the stop.
_WIDTHS: Final = (
    "212222222122222221121223121322131222122213122312132212221213221312231212112232122132"
    "122231113222123122123221223211221132221231213212223112312131311222321122321221312212"
    "322112322211212123212321232121111323131123131321112313132113132311211313231113231311"
    "112133112331132131113123113321133121313121211331231131213113213311213131311123311321"
    "331121312113312311332111314111221411431111111224111422121124121421141122141221112214"
    "112412122114122411142112142211241211221114413111241112134111111242121142121241114212"
    "124112124211411212421112421211212141214121412121111143111341131141114113114311411113"
    "411311113141114131311141411131211412211214211232"
)
PATTERNS: Final = (*(_WIDTHS[at : at + 6] for at in range(0, len(_WIDTHS), 6)), "2331112")
START_B, STOP = 104, 106
MODULUS: Final = 103
FIRST: Final = " "
# The quiet zone at each side, in modules.
QUIET: Final = 10


def values(text: str) -> list[int]:
    """The symbols: the start, each sign, the check symbol, and the stop."""
    signs = [ord(sign) - ord(FIRST) for sign in text]
    if not all(0 <= sign < 95 for sign in signs):
        raise ValueError("Code set B has the printable signs of ASCII alone.")
    check = (START_B + sum(place * sign for place, sign in enumerate(signs, 1))) % MODULUS
    return [START_B, *signs, check, STOP]


def bars(text: str) -> list[tuple[int, int]]:
    """The place and the width of each bar, in modules from the left edge of the quiet zone."""
    bars, at = [], QUIET
    for number, width in enumerate("".join(PATTERNS[value] for value in values(text))):
        if number % 2 == 0:
            bars.append((at, int(width)))
        at += int(width)
    return bars


def width_of(text: str) -> int:
    last, width = bars(text)[-1]
    return last + width + QUIET


def as_svg(text: str) -> SafeString:
    """The bars as one path, stretched to the width of the paper."""
    path = "".join(f"M{at} 0h{width}v24h-{width}z" for at, width in bars(text))
    return format_html(
        '<svg class="bars" viewBox="0 0 {} 24" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><path d="{}"/></svg>',
        width_of(text),
        text,
        path,
    )


WIDTH: Final = 80


class PaperLine(NamedTuple):
    """Words at the left and at the right.

    `look` is a class of the stylesheet, or `rule`, or `bars` where the words stand as a bar code.
    """

    left: str = ""
    right: str = ""
    look: str = ""

    @property
    def bars(self) -> SafeString:
        return as_svg(self.left)


RULE: Final = PaperLine(look="rule")


def paper_lines(receipt: Receipt) -> list[PaperLine]:
    currency = receipt.currency
    moved = show_signed(receipt.amount, currency, is_exact=True)
    lines = [*_head(receipt), RULE]
    lines += [
        PaperLine(str(receipt.get_kind_display()), moved, "large"),
        PaperLine(gettext("in cash"), receipt.currency_id),
        RULE,
    ]
    if receipt.wallet_after is not None:
        before = receipt.wallet_after - receipt.amount
        after = show_amount(receipt.wallet_after, currency, is_exact=True)
        lines += [
            PaperLine(gettext("Wallet before"), show_amount(before, currency, is_exact=True)),
            PaperLine(gettext("Wallet after"), after, "strong"),
            RULE,
        ]
    return [
        *lines,
        PaperLine(gettext("Ledger entry"), str(receipt.posting)),
        PaperLine(str(receipt.key), look="key"),
        PaperLine(receipt.number, look="bars"),
        PaperLine(gettext("Keep this receipt."), look="centre"),
    ]


def _head(receipt: Receipt) -> list[PaperLine]:
    desk = f"{gettext('Cash desk')} · {receipt.till}" if receipt.till else gettext("Cash desk")
    at = in_house_zone(receipt.at)
    lines = [PaperLine(house_name(), look="centre title"), PaperLine(desk, look="centre")]
    if receipt.prints > 1:
        lines.append(PaperLine(gettext("COPY"), look="centre title"))
    lines += [
        RULE,
        PaperLine(gettext("Receipt"), receipt.number, "strong"),
        PaperLine(date_format(at, "SHORT_DATE_FORMAT"), date_format(at, "H:i:s")),
    ]
    if receipt.player:
        named = f"{receipt.player.username} P-{receipt.player_id}"
        lines.append(PaperLine(gettext("Player"), named))
    lines.append(PaperLine(gettext("Cashier"), receipt.cashier_name))
    if receipt.second_name:
        lines.append(PaperLine(gettext("Second person"), receipt.second_name))
    if receipt.kind == Receipt.Kind.TRANSFER:
        lines.append(PaperLine(receipt.way, look="centre"))
    if receipt.corrects:
        lines.append(PaperLine(gettext("Corrects"), receipt.corrects.number))
    return lines


def as_pdf(receipt: Receipt) -> bytes:
    """The receipt as a file of one page, as wide as a till roll and as long as it needs to be."""
    from casino.web.pdf import Paper  # noqa: PLC0415 - few processes make one

    lines = paper_lines(receipt)
    title = gettext("Receipt {number}").format(number=receipt.number)
    paper = Paper(title, (WIDTH, 20 + 5 * len(lines)), margin=5)
    for line in lines:
        if line == RULE:
            paper.rule()
        elif line.look == "bars":
            paper.write_bars(bars(line.left), width_of(line.left))
        else:
            paper.write_line(
                line.left,
                line.right,
                size=13 if "large" in line.look else 7 if line.look == "key" else 9,
                align="C" if "centre" in line.look else "L",
            )
    return paper.content()
