from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CareConfig(AppConfig):
    name = "casino.care"
    label = "care"
    verbose_name = _("Care for players")

    def ready(self) -> None:
        from casino.accounts import sign_ins
        from casino.care import exclusions, own_data, rules
        from games.tables import admission
        from wallets.money import cashier
        from wallets.staff import approvals

        admission.RULES.add("care", rules.refuse)
        cashier.RULES.add("care", rules.refuse_deposit)
        sign_ins.RULES.add("care", exclusions.refuse_sign_in)
        approvals.register(own_data.Erase())
