from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    name = "games.api"
    label = "games_api"
    verbose_name = _("API")

    def ready(self) -> None:
        from games.api.stream_json import StreamJson
        from games.boards import renderings

        renderings.register("json", StreamJson())
