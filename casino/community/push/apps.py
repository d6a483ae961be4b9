from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.utils.translation import gettext_lazy as _


class PushConfig(AppConfig):
    name = "casino.community.push"
    label = "push"
    verbose_name = _("Notifications")

    def ready(self) -> None:
        from casino.accounts.devices import sessions_ended
        from casino.accounts.freezing import frozen
        from casino.care import own_data
        from casino.community.push import subscribing
        from casino.community.push.models import Subscription
        from casino.community.push.subscribing import rows
        from casino.ops import existence

        own_data.PARTS.add("notifications", rows)
        own_data.also(subscribing.forget_player)
        existence.ROWS.add("call-players", lambda _now: Subscription.objects.all())
        # After the receiver of `casino.accounts`, which is earlier among the apps.
        user_logged_in.connect(subscribing.remember, dispatch_uid="casino.community.push.remember")
        sessions_ended.connect(
            subscribing.forget_devices, dispatch_uid="casino.community.push.devices"
        )
        frozen.connect(subscribing.forget_player, dispatch_uid="casino.community.push.frozen")
