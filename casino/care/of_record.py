"""Declare the columns of players' own limits and exclusions, which are of record."""

from casino.care import models
from wallets.of_record.declarations import declare

declare(
    models.PlayerLimit,
    record="id player_id kind period currency_id value made_at effective_from confirmed_at "
    "withdrawn_at",
    by="player:care.ask_limit player:care.confirm_limit player:care.withdraw_limit",
)
declare(
    models.Exclusion,
    record="id player_id kind begins_at until carried_out_at",
    by="player:care.exclude house:care.carry_out_exclusion",
)
declare(
    models.RealityCheck,
    record="id player_id minutes",
    free={"when a player last read a reminder": "answered_at"},
    by="player:care.choose_reminder player:care.answer_reminder player.erase",
)
declare(
    models.ErasureRequest,
    record="id player_id made_at done_at",
    by="player:care.ask_erasure player:care.withdraw_erasure player.erase",
)
