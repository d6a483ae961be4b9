"""Declare the columns of tables and hands: those of record, and the audits of the others."""

from games import models
from wallets.of_record.declarations import declare

_LIVE = "the state of a hand that runs, which its record and the ledger prove when it ends"
_SEALED = "the encrypted text of a link whose digest is of record"
_MIXING = "how seats take part in mixing, which their shoes prove"
_NUMBER = "a number that nothing refers to"
_SETS_UP = (
    "command:found table.add table.change player:table.open_private player:evening.open "
    "player:evening.rematch house:table.open_overflow house:tournament.step"
)
_CLOSES = (
    "table.close table.open game.close game.open house.close house.open player:table.close_private "
    "house:table.close_deserted tournament.cancel"
)

declare(
    models.Table,
    record="id name game options currency_id places buy_in_min buy_in_max stack_min "
    "decision_seconds betting_seconds pause_seconds grace_seconds idle_seconds bots_max "
    "overflow_max overflow_of_id private hints_allowed opened_by_id opened_at organiser "
    "profile_id profile_version_id coming_rules_id status notice invitation_digest",
    derived={"hands": "hands_dealt shoes_sealed"},
    free={
        _SEALED: "sealed_invitation",
        _LIVE: "version phase shoe_id next_shoe_id hand_id button redeals moves_made turns "
        "turn_began_at deadline due_at",
        _MIXING: "locked_ahead late_locks",
    },
    by=f"{_SETS_UP} {_CLOSES} table.run table.rules players.message table.retry player.erase "
    "player:table.invite_anew house:table.tick",
)
declare(
    models.TableRules,
    record="id table_id number profile_version_id options table_settings places jackpots cause "
    "announced_at applied_at",
    by=f"{_SETS_UP} table.rules house:table.tick",
)
declare(
    models.Table.jackpots.through,
    record="id table_id jackpot_id",
    by=f"{_SETS_UP} house:table.tick",
)
declare(
    models.Seat,
    derived={"hands": "id code table_id number player_id", "ledger": "stack_id"},
    free={
        _LIVE: "sits_out sat_out_why turns_missed leaves auto_play top_up top_up_key "
        "reserved_for_id reserved_buy_in seen_at here_until shown_offline idle_since sat_down_at "
        "left_at left_why ready_after next_bets time_bank loss_seen",
        _MIXING: "shoes reveals house_shoes tip reply_ms",
    },
)
declare(
    models.Shoe,
    derived={
        "hands": "code table_id deal version decks jokers secret seal key x_0 lock mix status "
        "cards_dealt rounds_played sealed_at locked_at void_reason"
    },
    free={"how long the deal waits for reveals": "reveal_until"},
)
declare(
    models.ShoeSeat,
    derived={"hands": "shoe_id number player_id by_house commit reveal receipt late"},
    free={_NUMBER: "id"},
)
declare(
    models.Hand,
    derived={
        "hands": "id table_id number game rules_version options profile_version_id stakes context "
        "sealed_context shoe_id first_card cards_dealt round_number status started_at ended_at "
        "settlement draws rake bank jackpots posting void_code void_text void_by reversed_at "
        "reversal"
    },
)
declare(
    models.HandSeat,
    derived={
        "hands": "hand_id number seat_id player_id starting_stack net rake game table_id "
        "currency_id status ended_at"
    },
    free={_NUMBER: "id"},
)
declare(
    models.Move,
    derived={"hands": "hand_id number seat action sealed_action turn by at"},
    free={_NUMBER: "id"},
)
declare(
    models.SharedHand,
    record="id hand_id player_id token_digest named made_at revoked_at revoked_by_id revoked_why",
    free={_SEALED: "sealed_token"},
    by="player:hand.share player:hand.unshare sharedhand.revoke player.erase",
)
declare(
    models.HeldCards,
    derived={"hands": "hand_id number seat key tokens"},
    free={_NUMBER: "id"},
)
declare(
    models.Profile,
    record="id name game currency_id made_at",
    by="profile.add",
)
declare(
    models.ProfileVersion,
    record="id profile_id number options table_settings revision state based_on_id made_by_id "
    "made_at answers proposal published_from",
    by="profile.add profile.draft profile.change profile.discard profile.publish proposal.propose "
    "proposal.reject proposal.expire proposal.withdraw",
)
declare(
    models.Reckoning,
    free={
        "a simulation, which anybody may run again": "id digest game options stack seed state "
        "wanted done figures error requested_at seen_at ended_at"
    },
)
declare(
    models.ChainEntry,
    derived={"chain": "kind body made_at shoe position head"},
    free={"a number, whose order is that of the positions": "id"},
)
declare(
    models.Anchor,
    derived={"anchors": "number made_at position line written"},
    free={_NUMBER: "id"},
)
declare(
    models.WitnessedAnchor,
    derived={"anchors": "id anchor_id witness place statement signature"},
)
declare(models.AnchoredBook, derived={"anchors": "book position"})
declare(
    models.Day,
    derived={"days": "id day hands reversed sums differences"},
    free={"when the sums of a day were made, which are compared": "closed_at"},
)
declare(
    models.DayResult,
    derived={
        "days": "day_id table_id game currency_id player_id on hands net rake voids hands_won "
        "hands_lost hands_even gains losses"
    },
    free={_NUMBER: "id"},
)
