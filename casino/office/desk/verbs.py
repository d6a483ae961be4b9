"""The desk's verbs that need an approval."""

from django.utils.translation import gettext_lazy as _

from casino.office.desk.corrections import Correct
from casino.office.desk.paying import DeskCash
from casino.office.desk.requests import PAY, PayRequest
from casino.office.desk.shifts import CloseShift, OpenShift
from casino.office.desk.transfers import Transfer
from wallets.staff.cash_verbs import DEPOSIT, WITHDRAWAL

VERBS = (
    DeskCash(DEPOSIT, "desk.deposit", _("Deposit at the desk"), "wallets.deposit", 1),
    DeskCash(WITHDRAWAL, "desk.withdrawal", _("Withdrawal at the desk"), "wallets.withdraw", -1),
    PayRequest(WITHDRAWAL, PAY, _("Pay a requested withdrawal"), "wallets.withdraw", -1),
    Correct(),
    Transfer(),
    OpenShift(),
    CloseShift(),
)
