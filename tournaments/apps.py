from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from games.records import further_audits
        from tournaments import audit, deal_proofs, staff_verbs
        from tournaments.format import register
        from tournaments.guards import GUARDS
        from tournaments.ledger_references import tell_wallets
        from tournaments.models import EventShoe
        from tournaments.overview import seams
        from wallets import guards, resealing

        register()
        deal_proofs.register()
        tell_wallets()
        seams.register()
        staff_verbs.register()
        guards.register(GUARDS)
        resealing.register("secret", lambda: EventShoe.objects.order_by("pk"))
        further_audits.register("tournaments", "audit nothing but tournaments", audit.since)
