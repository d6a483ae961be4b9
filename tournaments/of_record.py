"""Declare the columns of events: the audit proves results, and what it cannot is of record."""

from tournaments import models
from wallets.of_record.declarations import declare

_DEALING = "when tables deal and wait, which moves no chip; the seats and hands are compared"
_NUMBER = "a number, whose order alone counts"
_STEP = "house:tournament.step"
_SHOWN = "what pages show of an event, and when the house next looks at it"

declare(
    models.Template,
    record="id name version structure currency_id made_at made_by retired_at",
    by="template.store template.retire",
)
declare(
    models.Schedule,
    record="id template_id key kind active every_seconds weekdays house_time ahead_seconds "
    "open_count bots_after_seconds",
    free={"follows from what the schedule has announced": "next_at"},
    by="tournament.schedule tournament.unschedule",
)
declare(
    models.Rehearsal,
    free={
        "of bots in a database of their own, and nothing of the house follows from it": "id name "
        "structure players seed requested_by requested_at state seen_at ended_at result error"
    },
)
declare(
    models.Tournament,
    record="id key name template_id schedule_id structure kind game currency_id announced_at "
    "starts_at cancelled_why cancelled_by prize_account_id fee_account_id guarantee_account_id "
    "chip_account_id registration_closed_at started_at ended_at level level_began_at "
    "level_ends_at left_milliseconds on_break paused_at stage round state added",
    derived={
        "tournaments": "entrants entries add_ons players_left numbers_given tables_opened "
        "went_out draws_made stakes fees guarantee chips"
    },
    free={
        _DEALING: "hand_for_hand final_table",
        _SHOWN: "likely_seconds moves_due version due_at notice",
    },
    by="tournament.announce tournament.cancel tournament.pause tournament.resume tournament.close "
    "house:tournament.announce_due house:tournament.step",
)
declare(
    models.EventShoe,
    derived={
        "tournaments": "tournament_id code secret decks jokers seal key x_0 lock mix status "
        "sealed_at locked_at"
    },
    free={_NUMBER: "id", _DEALING: "reveal_until"},
)
declare(
    models.Deal,
    derived={
        "tournaments": "id tournament_id round number code seal began_at complete_at compared_at"
    },
)
declare(
    models.EventTable,
    record="round",
    derived={"tournaments": "id tournament_id table_id number"},
    free={_DEALING: "held hands_allowed opened_at broken_at"},
    by=_STEP,
)
declare(
    models.Entry,
    record="registered_at",
    derived={
        "tournaments": "id tournament_id player_id number state entries added_on "
        "stake_paid fee_paid payments account_id seat_id drawn byes points chips_won out_sequence "
        "out_at place prize commit reveal by_house"
    },
    free={_SHOWN: "place_before disqualify_due"},
    by="player:tournament.register",
)
declare(
    models.Payout,
    record="made_at paid_at",
    derived={"tournaments": "id tournament_id entry_id kind place amount posting"},
    by=_STEP,
)
declare(
    models.Draw,
    record="made_at",
    derived={"tournaments": "id tournament_id number label things size link x_m order"},
    by=_STEP,
)
declare(
    models.Arrangement,
    record="id tournament_id number went_out tables_opened waiting resting playing buttons at",
    by=_STEP,
)
declare(
    models.TableChange,
    record="why draw_id arrangement_id",
    derived={
        "tournaments": "id tournament_id entry_id from_table_id from_seat to_table_id to_seat "
        "chips at"
    },
    by=_STEP,
)
declare(
    models.Elimination,
    record="why",
    derived={"tournaments": "id tournament_id sequence entry_id life hand_id stack at"},
    by=_STEP,
)
declare(models.Bye, derived={"tournaments": "id tournament_id entry_id round step at"})
declare(
    models.HandEnded,
    derived={"tournaments": "tournament_id table_id hand_id level round void"},
    free={_NUMBER: "id", _DEALING: "at acted_at"},
)
