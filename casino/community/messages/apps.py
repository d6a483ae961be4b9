from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class MessagesConfig(AppConfig):
    name = "casino.community.messages"
    # Django's own messages have the shorter one.
    label = "house_messages"
    verbose_name = _("Messages")

    def ready(self) -> None:
        from casino.accounts import demo
        from casino.care import own_data
        from casino.community.messages import demonstration, letters, outbox, wishes
        from casino.community.messages.models import Message, ReportMail
        from casino.community.messages.office import publishing  # noqa: F401 - it registers
        from casino.community.messages.outbox import CHANNELS, Channel, who_want_mail
        from casino.office.frame import journal_words
        from casino.ops import existence

        own_data.PARTS.add("messages", wishes.rows)
        own_data.also(wishes.forget)
        demo.STEPS.add("messages", demonstration.begin)
        journal_words.register("message", Message)
        existence.ROWS.add("gather-messages", outbox.due_messages)
        existence.ROWS.add("send-messages", outbox.due)
        existence.ROWS.add("mail-alarms", lambda _now: ReportMail.objects.filter(alarms=True))
        CHANNELS.add("mail", Channel(who_want_mail, letters.send))
        if apps.is_installed("casino.community.push"):
            from casino.community.messages.notifying import PUSH

            CHANNELS.add("push", PUSH)
        if apps.is_installed("casino.community.promotions"):
            from casino.community.messages import levels

            levels.begin()
