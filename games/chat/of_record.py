"""Declare the columns of chat: messages and silences are of record."""

from games.chat.models import ChatLine, Mute, Silence
from wallets.of_record.declarations import declare

declare(
    ChatLine,
    record="id table_id player_id phrase said_at hidden",
    digested="text",
    by="player:chat.say chatline.change house:chat.delete_old player.erase",
)
declare(Mute, free={"whom a player does not want to read": "id player_id muted_id"})
declare(Silence, record="id player_id until reason", by="silence.add silence.change silence.delete")
