from typing import cast

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class WalletsConfig(AppConfig):
    name = "wallets"
    verbose_name = _("Wallets")

    def ready(self) -> None:
        from wallets.of_record import installing, triggers
        from wallets.staff import approvals
        from wallets.staff.staff_verbs import VERBS

        approvals.register(*cast(tuple[approvals.Verb, ...], VERBS))
        connection_created.connect(triggers.connected, dispatch_uid="wallets.of_record")
        post_migrate.connect(installing.after_migrate, sender=self)
