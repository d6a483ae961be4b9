from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PaymentsConfig(AppConfig):
    name = "casino.office.payments"
    label = "payments"
    verbose_name = _("Payments")

    def ready(self) -> None:
        from casino.care import own_data
        from casino.office.alarms import conditions
        from casino.office.desk import receipt_audit
        from casino.office.payments import advancing, audit, chargebacks, own_rows, verbs
        from casino.office.payments.conditions import CONDITIONS
        from casino.office.payments.providers.stripe_checkout import Stripe
        from casino.office.payments.providers.transfer import Transfer
        from casino.ops import existence
        from games.records import registered_audits
        from wallets.payments import PROVIDERS
        from wallets.staff import approvals

        PROVIDERS.add(Transfer.name, Transfer())
        PROVIDERS.add(Stripe.name, Stripe())
        approvals.register(*verbs.VERBS, *chargebacks.VERBS)
        receipt_audit.DOCUMENTS.add("payments", audit.postings)
        registered_audits.register("payments", "audit nothing but payments", audit.findings)
        conditions.register(*CONDITIONS)
        existence.ROWS.add("advance-payments", advancing.due)
        own_data.PARTS.add("payments", own_rows.rows)
        own_data.also(own_rows.forget)
