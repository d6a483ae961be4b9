"""Declare the columns of chat: messages and silences are of record."""

from games.chat.models import ChatLine, Mute, Silence
from wallets.of_record.declarations import declare

declare(
    ChatLine,
    record="id table_id player_id phrase said_at hidden",
    digested="text",
    by="games.chat casino.care casino.office.players",
)
declare(Mute, free={"whom a player does not want to read": "id player_id muted_id"})
declare(
    Silence, record="id player_id until reason", by="games.chat casino.care casino.office.players"
)
