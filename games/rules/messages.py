"""The sentences of settlement lines in English, by key: for all readers, and for their player."""

from functools import cache
from typing import Final, Literal

from games.rules.catalogue import GAMES, part_of
from games.rules.declaration import marked as _n
from games.rules.settlement import Line

SENTENCES: Final[dict[str, str]] = {
    "row": _n("{target} wins the {row} row from {source} with {winner} against {loser}: {points}"),
    "royalty": _n("{target} wins the {row} row from {source} with {winner}, worth {points}"),
    "extra_point": _n("{target} wins more rows than {source}: one point more"),
    "natural": _n("{target} shows {natural} against {source}, worth {points}"),
    "dragon_over_all": _n("the dragon beats all three opponents: {points} more from {source}"),
    "foul": _n("{source} has fouled and owes {target} {points}"),
    "foul_royalty": _n(
        "{source} has fouled: {target} is paid for {winner} in the {row} row, {points}"
    ),
    "foul_row": _n("{source} has fouled and loses the {row} row to {winner} of {target}: {points}"),
    "gun": _n("{target} wins all three rows from {source}: {points} more"),
    "roll_over": _n("{target} loses no row to {source}: doubled, {points} more"),
    "home_run": _n("{target} wins every row from every opponent: {points} more from {source}"),
    "call": _n("{target} wins the call of {points} from {source}, at {point} a point"),
    "bomb": _n("{seat} has played a bomb of {rank}: doubled to {points}"),
    "rocket": _n("{seat} has played the rocket: doubled to {points}"),
    "spring": _n("no farmer has played a card: doubled to {points}"),
    "anti_spring": _n("the landlord has played only once: doubled to {points}"),
    "landlord_short": _n("the landlord, {seat}, cannot pay all: {paid} of {due} to {source}"),
    "farmer_short": _n("{seat} has no more chips, so both farmers pay the same: {paid} of {due}"),
    "landlord_limit": _n(
        "the landlord, {seat}, can win at most half of the starting stack from each farmer: "
        "{paid} of {due}"
    ),
    "purse_limit": _n("only {paid} of {due} paid: {seat} has no more chips"),
    "bet_won": _n("{target} is paid {pays}:{to} on {stake} on {bet}"),
    "bet_lost": _n("{source} loses the bet on {bet}"),
    "commission": _n("{source} pays the commission of {rate_bp} of the win on {bet}"),
    "payout_cap": _n("the wins come to {won}, and the table pays no more than {most}"),
    "box_won": _n("{target} is paid {pays}:{to} on the {bet} of {stake} on box {box}"),
    "box_lost": _n("{source} loses the {bet} on box {box}"),
    "box_payout_cap": _n(
        "the wins of box {box} come to {won}, and the table pays no more than {most}"
    ),
    "hand_won": _n(
        "{target} is paid {pays}:{to} on the bet of {stake} on box {box}: {combination}"
    ),
    "second_won": _n(
        "{target} is paid {pays}:{to} on the bet of {stake} on box {box} for a second "
        "combination: {combination}"
    ),
    "insurance_won": _n(
        "the dealer does not qualify: the insurance of {target} on box {box} wins 1:1"
    ),
    "exchange_paid": _n("{source} pays an ante for exchanging cards of box {box}"),
    "buy_paid": _n("{source} pays an ante for a sixth card on box {box}"),
    "buy_dealer_paid": _n("{source} pays an ante for the dealer's next card against box {box}"),
    "bonus_won": _n(
        "{target} is paid {pays}:{to} on the bonus of {stake} on box {box}: {combination}"
    ),
    "bonus_card": _n("{target} holds the bonus card {card} on box {box}: {pays}:1 on {stake}"),
    "wheel": _n("{target} holds the wheel card {card} on box {box}: it gives {pays}:1 on {stake}"),
    "lucky_game": _n(
        "{target} holds the lucky card {card} on box {box}: it gives {pays}:1 on {stake}"
    ),
    "jackpot": _n("{target} wins {share_bp} of the jackpot of {pool} on box {box}: {combination}"),
    "jackpot_least": _n(
        "the house adds what the jackpot lacks of {pays}:{to} on {target}'s bonus of "
        "{stake} on box {box}: {combination}"
    ),
    "mystery": _n("{target} wins the mystery prize with the bonus bet on box {box}"),
    "pool_share": _n(
        "{share_bp} of {seat}'s {stake} bonus bet on box {box} goes to the {target} pool"
    ),
    "pool_paid": _n("the {source} pool gives the house what it has paid to {seat} on box {box}"),
    "rake": _n("the house takes its share of the {won} that {source} has won"),
}


@cache
def sentence_of(key: str) -> str:
    """The sentence of a key; an installed family has those of its own lines in `messages`."""
    return (_installed() | SENTENCES)[key]


def _installed() -> dict[str, str]:
    sentences: dict[str, str] = {}
    for family in {game.family for game in GAMES.values()}:
        sentences |= getattr(part_of(family, "messages"), "SENTENCES", {})
    return sentences


def sentence(line: Line) -> str:
    """A line as an English sentence."""
    values = {name: said(name, value) for name, value in line.values.items()}
    return sentence_of(line.key).format(source=line.source, target=line.target, **values)


def said(name: str, value: int | str) -> int | str:
    """A value as text: a share in percent, everything else unchanged."""
    return f"{int(value) / 100:g}%" if name.endswith("_bp") else value


# A key ends with the player's part in the line: `won` if they are paid, `lost` if they pay, and
# `seat` if the line is about what they did or could not do. A line without a sentence here takes
# that of `messages.py`, with "you" in place of the player's name. Lines of a box stand below its
# number, so these sentences do not repeat it.

Part = Literal["won", "lost", "seat"]

SECOND_PERSON: Final[dict[str, str]] = {
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
    return SECOND_PERSON.get(f"{key}.{part}")


# The keys with a sentence here. A game from outside may have none: its players keep their names.
_KEYS: Final = frozenset(name.partition(".")[0] for name in SECOND_PERSON)


def speaks_to_players(key: str) -> bool:
    """Whether "you" may stand in the place of a name in the sentence of a key."""
    return key in _KEYS
