from typing import cast

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "casino.office.desk"
    label = "desk"
    verbose_name = _("Cash desk")

    def ready(self) -> None:
        from casino.office.desk import whole_audit as audit
        from casino.office.desk.verbs import VERBS
        from games.records import registered_audits
        from wallets.staff import approvals

        approvals.register(*cast(tuple[approvals.Verb, ...], VERBS))
        registered_audits.register("desk", "audit nothing but the cash desk", audit.findings)
