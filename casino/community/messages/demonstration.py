"""A message of a demonstration, as if it had been sent the day before, and a draft."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _t

from casino.accounts.models import Player
from casino.community.messages import outbox, segments
from casino.community.messages.models import Kind, Message, Recipient


def _texts(number: int) -> dict[str, dict[str, str]]:
    texts = {}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            said = (
                (_t("Tonight’s tournament"),
                 _t("The evening tournament begins at eight. Enter until the second level.")),
                (_t("A new table for Fujian thirteen"),
                 _t("From Monday on there is a second table with small stakes.")),
            )[number]  # fmt: skip
            texts[code] = {"title": said[0], "text": said[1]}
    return texts


def begin() -> int:
    """Write what is missing; return how much that was."""
    boss = Player.objects.filter(is_staff=True).order_by("pk").first()
    if boss is None or Message.objects.exists():
        return 0
    now = timezone.now()
    sent, segment = now - timedelta(days=1), segments.stored(segments.Segment())
    with transaction.atomic():
        message = Message.objects.create(
            name="Evening tournament",
            kind=Kind.EVENTS,
            texts=_texts(0),
            page="tournaments",
            segment=segment,
            state=Message.State.SENT,
            made_by=boss,
            made_at=sent,
            sent_at=sent,
            gathered_at=sent,
        )
        players = list(
            segments.reachable(Kind.EVENTS, now).order_by("pk").values_list("pk", flat=True)
        )
        held_out = outbox.held_out_of(message.pk, players)
        Recipient.objects.bulk_create(
            Recipient(message=message, player_id=player, is_held_out=player in held_out, at=sent)
            for player in players
        )
        Message.objects.create(
            name="Second Fujian table",
            kind=Kind.NEWS,
            texts=_texts(1),
            page="lobby",
            segment=segments.stored(segments.Segment(games=("fujian",))),
            made_by=boss,
            made_at=now,
        )
    return 2
