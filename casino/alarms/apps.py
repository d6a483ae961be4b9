from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AlarmsConfig(AppConfig):
    name = "casino.alarms"
    verbose_name = _("Alarms")

    def ready(self) -> None:
        from casino.alarms import check_results, delivering, of_house, of_room
        from games.shoes import anchors
        from wallets.check_reports import checked

        of_room.register_all()
        of_house.register_all()
        checked.connect(check_results.store, dispatch_uid="casino.alarms.check_results")
        anchors.made.connect(delivering.enqueue_anchor, dispatch_uid="casino.alarms.delivering")
