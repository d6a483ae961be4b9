"""The lines of a receipt: the page and the PDF are made from the same ones."""

from typing import Final, NamedTuple

from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.office.desk import barcode
from casino.office.desk.models import Receipt
from wallets.values.amounts import show_amount, show_signed
from wallets.values.days import in_house_zone

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
        return barcode.as_svg(self.left)


RULE: Final = PaperLine(look="rule")


def paper_lines(receipt: Receipt) -> list[PaperLine]:
    currency = receipt.currency
    moved = show_signed(receipt.amount, currency, is_exact=True)
    found = [*_head(receipt), RULE]
    found += [
        PaperLine(str(receipt.get_kind_display()), moved, "large"),
        PaperLine(_("in cash"), receipt.currency_id),
        RULE,
    ]
    if receipt.wallet_after is not None:
        before = receipt.wallet_after - receipt.amount
        after = show_amount(receipt.wallet_after, currency, is_exact=True)
        found += [
            PaperLine(_("Wallet before"), show_amount(before, currency, is_exact=True)),
            PaperLine(_("Wallet after"), after, "strong"),
            RULE,
        ]
    return [
        *found,
        PaperLine(_("Ledger entry"), str(receipt.posting)),
        PaperLine(str(receipt.key), look="key"),
        PaperLine(receipt.number, look="bars"),
        PaperLine(_("Keep this receipt."), look="centre"),
    ]


def _head(receipt: Receipt) -> list[PaperLine]:
    desk = f"{_('Cash desk')} · {receipt.till}" if receipt.till else _("Cash desk")
    at = in_house_zone(receipt.at)
    found = [PaperLine(_("Card room"), look="centre title"), PaperLine(desk, look="centre")]
    if receipt.prints > 1:
        found.append(PaperLine(_("COPY"), look="centre title"))
    found += [
        RULE,
        PaperLine(_("Receipt"), receipt.number, "strong"),
        PaperLine(date_format(at, "SHORT_DATE_FORMAT"), date_format(at, "H:i:s")),
    ]
    if receipt.player:
        named = f"{receipt.player.username} P-{receipt.player_id}"
        found.append(PaperLine(_("Player"), named))
    found.append(PaperLine(_("Cashier"), receipt.cashier_name))
    if receipt.second_name:
        found.append(PaperLine(_("Second person"), receipt.second_name))
    if receipt.kind == Receipt.Kind.TRANSFER:
        found.append(PaperLine(receipt.way, look="centre"))
    if receipt.corrects:
        found.append(PaperLine(_("Corrects"), receipt.corrects.number))
    return found


def as_pdf(receipt: Receipt) -> bytes:
    """The receipt as a file of one page, as wide as a till roll and as long as it needs to be."""
    from casino.web.pdf import Paper  # noqa: PLC0415 - few processes make one

    lines = paper_lines(receipt)
    title = _("Receipt {number}").format(number=receipt.number)
    paper = Paper(title, (WIDTH, 20 + 5 * len(lines)), margin=5)
    for line in lines:
        if line == RULE:
            paper.rule()
        elif line.look == "bars":
            paper.write_bars(barcode.bars(line.left), barcode.width_of(line.left))
        else:
            paper.write_line(
                line.left,
                line.right,
                size=13 if "large" in line.look else 7 if line.look == "key" else 9,
                align="C" if "centre" in line.look else "L",
            )
    return paper.content()
