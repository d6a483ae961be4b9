"""A month of a wallet as a PDF file: the sums and every line, on as many pages as they need.

Import it where a file is made, as `casino/web/pdf.py`.
"""

from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.care import months
from casino.web.pdf import Paper
from games.words.naming import player_title
from wallets.models import Account, Currency
from wallets.money.accounts import Holdings
from wallets.values.amounts import show_amount, show_signed
from wallets.values.days import in_house_zone
from wallets.values.house import house_name

A4: Final = (210.0, 297.0)
# Shares of the width: time, kind, reason, amount, balance.
COLUMNS: Final = [0.19, 0.2, 0.31, 0.15, 0.15]


def as_pdf(player: Player, wallet: Account, month: months.Month) -> bytes:
    statement, currency = months.statement_of(player, wallet, month), wallet.currency
    title = f"{_('Statement')} {date_format(month.first, 'YEAR_MONTH_FORMAT')}"
    paper = Paper(title, A4, margin=15)
    paper.is_numbered = True
    paper.write_line(title, currency.unit, size=16)
    paper.write_line(player_title(player.username, player.is_bot), house_name(), size=10)
    paper.rule()
    _write_held(paper, _("At the beginning"), statement.opening, currency)
    for kind in statement.kinds:
        paper.write_line(
            f"{kind.words} ({kind.postings})", show_signed(kind.amount, currency, is_exact=True)
        )
    _write_held(paper, _("At the end"), statement.closing, currency)
    if statement.games:
        paper.rule()
        paper.write_line(_("Won or lost by game"), size=12)
        for game in statement.games:
            paper.write_line(
                f"{game.words} ({game.hands})", show_signed(game.net, currency, is_exact=True)
            )
    paper.rule()
    paper.write_line(_("The wallet, line by line"), size=12)
    head = [_("Time"), _("Kind"), _("Reason"), _("Amount"), _("Balance")]
    paper.write_row(head, COLUMNS)
    for entry in months.entries_in(wallet, month).iterator(chunk_size=months.ROWS_AT_ONCE):
        posting = entry.transaction
        cells = [
            f"{in_house_zone(posting.time):%Y-%m-%d %H:%M:%S}",
            months.words_of(posting.kind),
            _(posting.reason) if posting.reason else "",
            show_signed(entry.amount, currency, is_exact=True),
            show_amount(entry.balance_after, currency, is_exact=True),
        ]
        paper.write_row(cells, COLUMNS)
    return paper.content()


def _write_held(paper: Paper, words: str, held: Holdings, currency: Currency) -> None:
    """The sum of a player's money, and where it is if it is not all in the wallet."""
    paper.write_line(words, show_amount(held.total, currency, is_exact=True))
    if held.total != held.wallet:
        parts = (
            (_("In the wallet"), held.wallet),
            (_("Set aside"), held.set_aside),
            (_("At tables"), held.at_tables),
        )
        for part, amount in parts:
            paper.write_line(f"– {part}", show_amount(amount, currency, is_exact=True), size=9)
