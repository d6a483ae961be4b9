"""The manners of bots: one at the table answers a greeting or thanks for a compliment.

They say no more than that, and seldom, so that a table of bots is not a noisy one. Who answers
follows from the line's number: nothing here is drawn at random.
"""

from datetime import datetime, timedelta
from typing import Final

from games.chat.models import ChatLine
from games.models import Seat

# What a bot says to a phrase; the others it leaves alone.
ANSWERS: Final = {
    "hello": "hello",
    "pleased": "pleased",
    "luck": "thanks",
    "nice": "thanks",
    "too_good": "thanks",
    "bye": "luck",
    "miss_you": "miss_you",
    "flower": "flower",
    "tea": "thanks",
}
# After one has spoken the bots of a table are quiet for this long, which is some hands.
QUIET: Final = timedelta(minutes=3)


def answer(line: ChatLine, now: datetime) -> ChatLine | None:
    """Return a bot's answer to a line that a person has just written, if it has one."""
    phrase = ANSWERS.get(line.phrase)
    if phrase is None:
        return None
    said = ChatLine.objects.filter(table=line.table_id, player__is_bot=True)
    if said.filter(said_at__gt=now - QUIET).exists():
        return None
    sitting = Seat.objects.filter(table=line.table_id, left_at__isnull=True, player__is_bot=True)
    bots = list(sitting.order_by("number").values_list("player_id", flat=True))
    if not bots:
        return None
    bot = bots[line.pk % len(bots)]
    return ChatLine.objects.create(
        table_id=line.table_id, player_id=bot, phrase=phrase, said_at=now
    )
