"""The desk's verbs that need an approval."""

from typing import cast

from django.utils.translation import gettext_lazy as _

from casino.desk.corrections import Correct
from casino.desk.paying import DeskCash
from casino.desk.requests import PAY, PayRequest
from casino.desk.shifts import CloseShift, OpenShift
from casino.desk.transfers import Transfer
from wallets import approvals
from wallets.cash_verbs import DEPOSIT, WITHDRAWAL

VERBS = (
    DeskCash(DEPOSIT, "desk.deposit", _("Deposit at the desk"), "wallets.deposit", 1),
    DeskCash(WITHDRAWAL, "desk.withdrawal", _("Withdrawal at the desk"), "wallets.withdraw", -1),
    PayRequest(WITHDRAWAL, PAY, _("Pay a requested withdrawal"), "wallets.withdraw", -1),
    Correct(),
    Transfer(),
    OpenShift(),
    CloseShift(),
)


def register() -> None:
    for verb in VERBS:
        approvals.register(cast(approvals.Verb, verb))
