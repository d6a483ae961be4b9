from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class IntegrityConfig(AppConfig):
    name = "casino.office.integrity"
    verbose_name = _("Integrity")

    def ready(self) -> None:
        from casino.care import own_data
        from casino.office.alarms import conditions
        from casino.office.frame import journal_words
        from casino.office.integrity import results, traces
        from casino.office.integrity.models import Suspicion
        from casino.office.integrity.suspicions import OVERDUE
        from casino.office.integrity.traces import forget_player, rows
        from games.records import registered_audits, search_filters
        from games.tables.signals import LISTENERS

        own_data.PARTS.add("traces", rows)
        own_data.also(forget_player)
        LISTENERS.add("integrity", traces.write)
        search_filters.FINDERS.add("integrity", traces.hands_from)
        conditions.register(OVERDUE)
        registered_audits.register("integrity", "audit nothing but the sums", results.findings)
        journal_words.register("suspicion", Suspicion)
