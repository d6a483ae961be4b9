from typing import cast

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from games.live import sources
        from games.lobby import sections
        from games.records import registered_audits
        from games.shoes import deals
        from games.tables import formats
        from tournaments.audit import whole as audit
        from tournaments.event import mixing
        from tournaments.event.money import tell_wallets
        from tournaments.event.organiser import KIND, STREAM
        from tournaments.format import TournamentTable
        from tournaments.overview import heading
        from tournaments.running import series_verbs, staff_verbs
        from wallets.staff import approvals

        formats.FORMATS.add(KIND, TournamentTable)
        deals.FINDERS.add("tournaments", mixing.proof_of)
        tell_wallets()
        sources.SOURCES.add(STREAM, heading.Versions())
        sections.SECTIONS.add("tournaments", heading.InLobby())
        sections.SECTIONS.add("tournament soon", heading.SoonInLobby())
        approvals.register(
            *cast(tuple[approvals.Verb, ...], staff_verbs.VERBS + series_verbs.VERBS)
        )
        registered_audits.register("tournaments", "audit nothing but tournaments", audit.since)
