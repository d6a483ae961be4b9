"""The sentences of settlement lines in English, by key: what a translation starts from.

The braces take the line's values and its parties: `{source}` pays, `{target}` gets. A page puts
names in for seats, money in for amounts and its own language in for rows, ranks and naturals.
`{pays}:{to}` are odds; the stake comes back besides. Names that end in `_bp` are shares, shown in
percent.
"""

from functools import cache
from typing import Final

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
