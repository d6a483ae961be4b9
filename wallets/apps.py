from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class WalletsConfig(AppConfig):
    name = "wallets"
    verbose_name = _("Wallets")

    def ready(self) -> None:
        from wallets import staff_verbs
        from wallets.of_record import declarations, installing, own, verbs

        staff_verbs.register()
        own.register()
        declarations.discover()
        connection_created.connect(verbs.connected, dispatch_uid="wallets.of_record")
        post_migrate.connect(installing.after_migrate, sender=self)
