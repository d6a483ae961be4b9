"""Declare the columns of players' files; texts that an erasure empties are recorded as hashes."""

from casino.office.players.models import Check, Complaint, Flag, Note
from wallets.of_record.declarations import declare

declare(
    Check,
    record="id by by_name at player_id what document valid_until",
    digested="ending",
    by="player.check player.erase",
)
declare(
    Flag,
    record="id by by_name at player_id kind lowered_at lowered_by_name",
    digested="reason",
    by="player.flag player.unflag player.erase",
)
declare(
    Complaint,
    record="id by by_name at player_id hand_id due_on outcome answered_at answered_by_name",
    digested="text answer",
    by="complaint.take complaint.answer player.erase",
)
declare(Note, record="id by by_name at player_id", digested="text", by="player.note player.erase")
