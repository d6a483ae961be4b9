from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "casino.players"
    verbose_name = _("Players")

    def ready(self) -> None:
        from casino.players import admission, freezing, sign_in_log, staff

        # Without a sender, because each app's permissions exist only after its own migrations.
        post_migrate.connect(staff.grant, dispatch_uid="casino.players.staff.grant")
        sign_in_log.begin()
        admission.register()
        freezing.register()
