from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SocialConfig(AppConfig):
    name = "casino.social"
    label = "social"
    verbose_name = _("People")

    def ready(self) -> None:
        from casino.social import blocks, own_data

        own_data.register()
        blocks.register()
