from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HooksConfig(AppConfig):
    name = "casino.office.hooks"
    label = "hooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        from casino.office.alarms import conditions
        from casino.office.hooks import sending, verbs
        from casino.office.hooks.sending import GIVEN_UP
        from casino.ops import existence
        from wallets.staff import approvals

        approvals.register(verbs.Subscribe())
        conditions.register(GIVEN_UP)
        existence.ROWS.add("tell-hooks", lambda _now: sending.open_endpoints())
