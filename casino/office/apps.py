from typing import Final

from django.apps import AppConfig
from django.core.management import get_commands, load_command_class
from django.utils.translation import gettext_lazy as _

# The packages below the site that have commands of their own.
PACKAGES: Final = ("games", "tournaments", "wallets")


class BackofficeConfig(AppConfig):
    name = "casino.office"
    label = "backoffice"
    verbose_name = _("Back office")

    def ready(self) -> None:
        from casino.office.alarms import condition_checks, conditions
        from casino.office.floor import closing, halting
        from casino.office.house import versions
        from games.live import sources
        from games.profiles.publishing import PublishVersion
        from games.profiles.setting_up import ChangeRules
        from games.tables import admission
        from wallets.staff import approvals
        from wallets.values import house
        from wallets.values.registry import AT_START

        sources.SOURCES.add(closing.STREAM, closing.Versions())
        admission.HOLDS.add("kill switch", closing.HOLDING)
        admission.RULES.add("house closes", closing.admits)
        approvals.register(
            halting.ConfirmHalt(), PublishVersion(), ChangeRules(), versions.PublishHouse()
        )
        house.read_by(versions.read_current)
        AT_START.add("house", house.make)
        conditions.register(halting.STOPPED)
        condition_checks.changed.connect(closing.changed, dispatch_uid="casino.office.floor")
        _load_commands()


def _load_commands() -> None:
    """Import the house's commands: their verbs are read here in words, and given elsewhere."""
    for name, package in get_commands().items():
        if package in PACKAGES or package.startswith("casino."):
            load_command_class(package, name)
