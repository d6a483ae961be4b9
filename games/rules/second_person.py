"""Settlement lines in English as one of their players reads them: "You win the middle row …".

A key ends with the player's part in the line: `won` if they are paid, `lost` if they pay, and
`seat` if the line is about what they did or could not do. A line without a sentence here takes that
of `messages.py`, with "you" in place of the player's name. Lines of a box stand below its number,
so these sentences do not repeat it.
"""

from typing import Final, Literal

from games.rules.declaration import marked as _n

Part = Literal["won", "lost", "seat"]

SENTENCES: Final[dict[str, str]] = {
    "row.won": _n("You win the {row} row from {source} with {winner} against {loser}: {points}"),
    "royalty.won": _n("You win the {row} row from {source} with {winner}, worth {points}"),
    "extra_point.won": _n("You win more rows than {source}: one point more"),
    "natural.won": _n("You show {natural} against {source}, worth {points}"),
    "foul.lost": _n("You have fouled and owe {target} {points}"),
    "foul_royalty.won": (
        _n("{source} has fouled: you are paid for {winner} in the {row} row, {points}")
    ),
    "foul_royalty.lost": (
        _n("You have fouled: {target} is paid for {winner} in the {row} row, {points}")
    ),
    "foul_row.won": _n("{source} has fouled and loses the {row} row to your {winner}: {points}"),
    "foul_row.lost": _n("You have fouled and lose the {row} row to {winner} of {target}: {points}"),
    "gun.won": _n("You win all three rows from {source}: {points} more"),
    "roll_over.won": _n("You lose no row to {source}: doubled, {points} more"),
    "home_run.won": _n("You win every row from every opponent: {points} more from {source}"),
    "call.won": _n("You win the call of {points} from {source}, at {point} a point"),
    "bomb.seat": _n("You played a bomb of {rank}: doubled to {points}"),
    "rocket.seat": _n("You played the rocket: doubled to {points}"),
    "landlord_short.seat": _n("As landlord you cannot pay all: {paid} of {due} to {source}"),
    "farmer_short.seat": _n(
        "You have no more chips, so both farmers pay the same: {paid} of {due}"
    ),
    "landlord_limit.seat": _n(
        "As landlord you can win at most half of your starting stack from each farmer: "
        "{paid} of {due}"
    ),
    "purse_limit.seat": _n("Only {paid} of {due} paid: you have no more chips"),
    "bet_won.won": _n("You are paid {pays}:{to} on {stake} on {bet}"),
    "bet_lost.lost": _n("You lose the bet on {bet}"),
    "commission.lost": _n("You pay the commission of {rate_bp} of the win on {bet}"),
    "payout_cap.lost": _n("Your wins come to {won}, and the table pays no more than {most}"),
    "box_won.won": _n("You are paid {pays}:{to} on your {bet} of {stake}"),
    "box_lost.lost": _n("You lose the {bet}"),
    "box_payout_cap.lost": _n("Your wins come to {won}, and the table pays no more than {most}"),
    "hand_won.won": _n("You are paid {pays}:{to} on the bet of {stake}: {combination}"),
    "second_won.won": (
        _n("You are paid {pays}:{to} on the bet of {stake} for a second combination: {combination}")
    ),
    "insurance_won.won": _n("The dealer does not qualify: your insurance wins 1:1"),
    "exchange_paid.lost": _n("You pay an ante for exchanging cards"),
    "buy_paid.lost": _n("You pay an ante for a sixth card"),
    "buy_dealer_paid.lost": _n("You pay an ante for the dealer's next card"),
    "bonus_won.won": _n("You are paid {pays}:{to} on the bonus of {stake}: {combination}"),
    "bonus_card.won": _n("You hold the bonus card {card}: {pays}:1 on {stake}"),
    "wheel.won": _n("You hold the wheel card {card}: it gives {pays}:1 on {stake}"),
    "lucky_game.won": _n("You hold the lucky card {card}: it gives {pays}:1 on {stake}"),
    "jackpot.won": _n("You win {share_bp} of the jackpot of {pool}: {combination}"),
    "jackpot_least.won": _n(
        "The house adds what the jackpot lacks of {pays}:{to} on your bonus of {stake}: "
        "{combination}"
    ),
    "mystery.won": _n("You win the mystery prize with your bonus bet"),
    "rake.lost": _n("The house takes its share of the {won} that you have won"),
}


def sentence_to(key: str, part: Part) -> str | None:
    """The sentence of a key for a player with this part in it, if there is one."""
    return SENTENCES.get(f"{key}.{part}")


# The keys with a sentence here. A game from outside may have none: its players keep their names.
_KEYS: Final = frozenset(name.partition(".")[0] for name in SENTENCES)


def speaks_to_players(key: str) -> bool:
    """Whether "you" may stand in the place of a name in the sentence of a key."""
    return key in _KEYS
