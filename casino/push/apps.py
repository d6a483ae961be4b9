from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.utils.translation import gettext_lazy as _


class PushConfig(AppConfig):
    name = "casino.push"
    label = "push"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        from casino.players.devices import sessions_ended
        from casino.players.freezing import frozen
        from casino.push import own_data, subscribing

        own_data.register()
        # After the receiver of `casino.players`, which stands earlier among the apps.
        user_logged_in.connect(subscribing.remember, dispatch_uid="casino.push.remember")
        sessions_ended.connect(subscribing.forget_devices, dispatch_uid="casino.push.devices")
        frozen.connect(subscribing.forget_player, dispatch_uid="casino.push.frozen")
