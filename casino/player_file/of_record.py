"""Declare the columns of players' files; texts that an erasure empties are recorded as hashes."""

from casino.player_file.models import Check, Flag, Note
from wallets.of_record.declarations import declare

BY = "casino.player_file casino.care"

declare(
    Check,
    record="id by by_name at player_id what document valid_until",
    digested="ending",
    by=BY,
)
declare(
    Flag,
    record="id by by_name at player_id kind lowered_at lowered_by_name",
    digested="reason",
    by=BY,
)
declare(Note, record="id by by_name at player_id", digested="text", by=BY)
