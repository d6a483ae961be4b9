from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SocialConfig(AppConfig):
    name = "casino.community.social"
    label = "social"
    verbose_name = _("People")

    def ready(self) -> None:
        from casino.care import own_data
        from casino.community.social import friends
        from casino.community.social.elsewhere import FriendsInLobby, forget, rows
        from games.chat import chat_verbs
        from games.lobby import seat_finder, sections

        own_data.PARTS.add("people", rows)
        own_data.also(forget)
        chat_verbs.UNHEARD.add("blocked", friends.unheard)
        sections.SECTIONS.add("friends", FriendsInLobby())
        seat_finder.RULES.add("blocked", friends.apart)
