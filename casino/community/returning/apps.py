from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class ReturningConfig(AppConfig):
    name = "casino.community.returning"
    label = "returning"
    verbose_name = _("Returning players")

    def ready(self) -> None:
        from casino.care import own_data
        from casino.community.returning import audit, played, rewards
        from casino.community.returning.elsewhere import TasksInLobby, forget, rows
        from games.lobby import sections
        from games.records import registered_audits
        from games.tables import play_money

        own_data.PARTS.add("returning", rows)
        own_data.also(forget)
        sections.SECTIONS.add("tasks", TasksInLobby())
        play_money.OCCASIONS.add("returning", rewards.occasions)
        registered_audits.register("boards", "audit nothing but the boards", audit.findings)
        if apps.is_installed("casino.community.social"):
            from casino.community.social import profiles

            profiles.show_played(played.of_player)
