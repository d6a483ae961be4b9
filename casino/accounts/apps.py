from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "casino.accounts"
    label = "players"
    verbose_name = _("Players")

    def ready(self) -> None:
        from casino.accounts import admission as players
        from casino.accounts import (
            appointing,
            devices,
            foreign_tables,
            freezing,
            rights_check,
            sign_ins,
            staff,
            stream_sign_ins,
        )
        from games.tables import admission
        from wallets.money import cashier
        from wallets.staff import approvals

        # Without a sender, because each app's permissions exist only after its own migrations.
        post_migrate.connect(staff.grant, dispatch_uid="casino.accounts.staff.grant")
        sign_ins.connect()
        stream_sign_ins.connect()
        user_logged_in.connect(devices.signed_in, dispatch_uid="casino.accounts.devices.signed_in")
        admission.RULES.add("staff", players.bar_staff)
        admission.RULES.add("guests", players.bar_guests)
        cashier.RULES.add("guests", players.refuse_deposit)
        approvals.register(freezing.Unfreeze())
        appointing.register()
        stream_sign_ins.register()
        rights_check.register_check()
        foreign_tables.declare()
