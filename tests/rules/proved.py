"""Records of made-up hands with their proof, their chain entries and the notes of browsers."""

import hashlib
import json
from copy import deepcopy
from typing import Any

import msgspec

from games.rules.cards import DECK, JOKERS, Card, composition
from games.rules.record import digest_for_reader, without_cards
from games.rules.shoe import VERSION, SeatProof, ShoeProof, ShoeProtocol, chain_on
from games.rules.verifying import verify

SECRET = bytes(range(32))
LABELS = {"wild": 51, "bonus-card": 52, "wheel-card": 52, "wheel": 100} | {
    "lucky-card": 52,
    "lucky-game": 60,
}
Record = dict[str, Any]
PLAYERS = {"2": 11, "3": 12, "7": 13}
AUDITOR = "auditor"


def moves(cards: list[str]) -> list[Record]:
    """What three seats did with the first cards of a hand; others do not see the gift of seat 3."""
    actions: list[tuple[int | str, Record, str]] = [
        (2, {"do": "bet", "box": 1, "amount": 500, "bonus": None}, "player"),
        ("house", {"do": "close"}, "house"),
        (3, {"do": "give", "cards": cards[:3]}, "player"),
        (7, {"do": "play", "cards": cards[5:7]}, "bot"),
        (2, {"do": "stand", "box": 1}, "timeout"),
    ]
    return [
        {"seat": seat, "action": action, "at": f"2026-02-03T04:05:{at:02}+00:00", "by": by}
        for at, (seat, action, by) in enumerate(actions)
    ]


def record(
    cards: tuple[Card, ...] = composition(2),
    *,
    first: int = 0,
    round_number: int = 1,
    labels: dict[str, int] = LABELS,
    hidden: tuple[int, ...] = (),
    cards_in_hand: int = 12,
    digested: bool = True,
    reader: str | None = None,
    secret: bytes = SECRET,
    version: int = VERSION,
) -> Record:
    """The record of a hand of so many cards; its viewer may not see the hidden ones.

    A reader who is no auditor does not see a gift either, nor what the mystery prize lacked.
    """
    # With this name the cut of eight decks passes over a word of its stream.
    protocol = ShoeProtocol("B-28", version)
    sealed = protocol.seal(secret, cards)
    reveals = {2: bytes(32), 3: b"\xff" * 32, 7: protocol.house_reveal(secret, 7)}
    commits = {seat: protocol.commitment(seat, reveal) for seat, reveal in reveals.items()}
    lock = protocol.lock(sealed.seal, commits)
    mix = protocol.mix(lock, reveals)
    order = protocol.cut(mix, len(cards))
    x_m = sealed.hidden.draws[round_number]
    draws = tuple(protocol.draw(mix, x_m, label, n) for label, n in labels.items())
    hand = range(first, first + cards_in_hand)
    seen = {k: sealed.open(order, k) for k in hand if k - first not in hidden}
    proof = ShoeProof(
        id=sealed.id,
        seal=sealed.seal.hex(),
        decks=cards.count(DECK[0]),
        jokers=JOKERS[0] in cards,
        key=sealed.key.hex(),
        x_0=sealed.x_0.hex(),
        leaves=tuple(leaf.hex() for leaf in sealed.leaves),
        first=first,
        round_number=round_number,
        version=version,
        seats=tuple(
            SeatProof(seat, "house" if seat == 7 else "player", commits[seat].hex(), reveal.hex())
            for seat, reveal in reveals.items()
        ),
        lock=lock.hex(),
        mix=mix.hex(),
        x_m=x_m.hex() if draws else None,
        draws=draws,
        openings=tuple(seen.values()),
    )
    assert verify(proof) == ()
    dealt = [card.text for card in sealed.deal(order)]
    drawn = {
        draw.label.replace("-", "_"): DECK[draw.value].text if draw.n == 52 else draw.value
        for draw in draws
    }
    whole = {
        "format": "hand-record/1",
        "id": "B-H3",
        "game": "russian_poker",
        "started": "2026-02-03T04:05:00+00:00",
        "ended": "2026-02-03T04:06:00+00:00",
        "rules_version": 1,
        "options": {"min": 100, "max": 5000, "wheel": [50, 30, 20], "name": "Größe \x7f\u2028\x01"},
        "stakes": [{"seat": seat, "purse": 1000 * seat} for seat in reveals],
        "context": {"button": 3, "redeals": 0, **drawn, "mystery_left": 70},
        "cards": dealt[first : first + cards_in_hand],
        "moves": moves(dealt[first:]),
        "settlement": {
            "net": {"2": 475, "3": -500, "7": 0},
            "rake": {"2": 25},
            "transfers": [["3", "2", 400, "hand"], ["3", "2", 100, "bonus"]],
            "lines": [{"key": "won", "source": "3", "target": "2", "amount": 500, "values": {}}],
        },
        "shoe": json.loads(msgspec.json.encode(proof)),
    }
    shown = deepcopy(whole)
    shown["cards"] = [seen[k].card.text if k in seen else None for k in hand]
    if reader != AUDITOR:
        shown["context"]["mystery_left"] = 10**15
        shown["moves"][2]["action"] = without_cards(shown["moves"][2]["action"])
    if digested:
        names = {"names_players": reader == AUDITOR}
        shown["digest"] = digest_for_reader(whole, shown, PLAYERS, secret, **names)
    return shown


def linked(body: Record, kind: str, before: bytes, position: int) -> Record:
    """An entry of the public chain behind a head, as a file."""
    entry = {"kind": kind, "at": "2026-02-03T04:06:00+00:00", "body": body}
    return {
        "format": "chain-entry/1",
        "position": position,
        "head": chain_on(before, entry).hex(),
        "previous": before.hex(),
        "entry": entry,
    }


def chain_entry(hand_record: Record) -> Record:
    """The entry of a record's hand in the public chain."""
    body = {
        "hand": hand_record["id"],
        "shoe": hand_record["shoe"]["id"],
        "settlement": hand_record["settlement"],
    }
    if "digest" in hand_record:
        body["digest"] = hand_record["digest"]["value"]
    entry = linked(body, "hand", b"\x17" * 32, 40)
    if "void" in hand_record:
        undone = {name: body[name] for name in ("hand", "shoe")}
        entry["taken_back"] = linked(undone, "hand_void", b"\x18" * 32, 55)
        del entry["taken_back"]["format"]
    return entry


def kept_note(hand_record: Record, seat: int) -> Record:
    """What the browser of a seat has kept of a record's shoe, with a receipt without signature."""
    shoe = hand_record["shoe"]
    part = next(part for part in shoe["seats"] if part["seat"] == seat)
    note = {
        "format": "shoe-note/1",
        "shoe": shoe["id"],
        "seal": shoe["seal"],
        "lock": shoe["lock"],
        "commits": {str(entry["seat"]): entry["commit"] for entry in shoe["seats"]},
        "seat": seat,
        "commit": part["commit"],
        "reveal": part["reveal"],
    }
    statement = {name: note[name] for name in ("shoe", "seat", "seal", "lock", "commit")}
    statement["reveal_hash"] = hashlib.sha256(bytes.fromhex(part["reveal"])).hexdigest()
    statement["at"] = "2026-02-03T04:04:58+00:00"
    receipt = {"statement": statement, "signature": "00" * 64, "key": "00" * 32}
    return {**note, "receipt": receipt}
