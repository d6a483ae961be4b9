"""What was announced of an event, and its shoe: proved from its secret, with what it drew."""

from typing import Final

from games.rules.cards import composition
from games.rules.event_shoe import EventProtocol
from games.rules.shoe import ROUNDS_MAX, from_hex
from tournaments.audit.rows import OF_SHOE, Findings, Found, Rows
from tournaments.event import mixing
from tournaments.event.organiser import structure_digest
from tournaments.models import Entry, EventShoe, Tournament
from tournaments.running.start import SEATS

LATE: Final = "late-"


def parts_of(rows: Rows) -> list[mixing.Part]:
    """Return the parts of the entrants that the public chain names in the lock."""
    named = {int(commit) for entry in rows.chain["event_lock"] for commit in entry.body["commits"]}
    shoe = rows.shoe
    if not shoe.lock:
        return []
    protocol, secret = EventProtocol(shoe.code), mixing.SECRET.open(shoe)
    parts = []
    for number in sorted(named & rows.by_number.keys()):
        entry, own = rows.by_number[number], protocol.house_reveal(secret, number)
        commit = entry.commit or protocol.commitment(number, own).hex()
        reveal = (entry.reveal or own.hex()) if shoe.mix else ""
        parts.append(mixing.Part(number, entry.by_house, commit, reveal))
    return parts


def sealed(rows: Rows) -> Findings:
    """The secret gives what was sealed, and the seals of all deals."""
    shoe = rows.shoe
    protocol, secret = EventProtocol(shoe.code), mixing.SECRET.open(shoe)
    given = protocol.seal(secret, composition(shoe.decks, shoe.jokers))
    of_deals = mixing.seals_due(rows.event, protocol, secret)
    whole = protocol.seal_with(given.seal, list(of_deals.values())) if of_deals else given.seal
    for name, value in {"seal": whole, "key": given.key, "x_0": given.x_0}.items():
        if getattr(shoe, name) != value.hex():
            yield Found("shoe_secret", f"the secret of its shoe does not give the {name}")
    there = {deal.code: deal.seal for deal in rows.deals}
    for code in sorted(there.keys() | of_deals.keys()):
        if code not in of_deals or there.get(code) != of_deals[code].hex():
            yield Found("deal_seal", f"the secret of its shoe does not give the seal of {code}")


def mixed(rows: Rows) -> Findings:
    """Check that the entrants' parts lead to the lock and the mix."""
    shoe, parts = rows.shoe, parts_of(rows)
    protocol, secret = EventProtocol(shoe.code), mixing.SECRET.open(shoe)
    if shoe.lock:
        commits = {part.number: from_hex(part.commit) for part in parts}
        if protocol.lock(from_hex(shoe.seal), commits).hex() != shoe.lock:
            yield Found("shoe_lock", "the commits of the entrants do not give the lock")
    if not shoe.mix:
        return
    reveals = {part.number: from_hex(part.reveal) for part in parts}
    if protocol.mix(from_hex(shoe.lock), reveals).hex() != shoe.mix:
        yield Found("shoe_mix", "what the entrants revealed does not give the mix")
    for part in parts:
        own = protocol.house_reveal(secret, part.number).hex()
        committed = protocol.commitment(part.number, from_hex(part.reveal)).hex()
        if part.reveal != own and committed != part.commit:
            yield Found("shoe_part", f"entry {part.number} revealed what it had not committed to")
        if part.by_house != (part.reveal == own):
            yield Found("shoe_part", f"it is said wrongly who mixed for entry {part.number}")


def unlocked(rows: Rows) -> Findings:
    """Who has no part in a lock has revealed nothing, and has committed unless the house will."""
    locked = {part.number for part in parts_of(rows)}
    for number, entry in rows.by_number.items():
        if number not in locked and (entry.reveal or bool(entry.commit) == entry.by_house):
            yield Found("shoe_part", f"it is said wrongly who mixes for entry {number}")


def published(rows: Rows) -> Findings:
    """The public chain says the same of the shoe."""
    due = _due(rows)
    times = {"event_seal": rows.shoe.sealed_at, "event_lock": rows.shoe.locked_at}
    for kind in OF_SHOE:
        entries = rows.chain[kind]
        if len(entries) != (kind in due):
            yield Found("shoe_chain", f"the public chain has {len(entries)} entries {kind!r}")
        for entry in entries[:1]:
            for name, value in {"event_shoe": rows.shoe.code, **due.get(kind, {})}.items():
                if entry.body.get(name) != value:
                    yield Found("shoe_chain", f"the public chain has another {name}")
            if entry.made_at != times.get(kind, entry.made_at):
                yield Found("shoe_chain", f"the public chain has another time of {kind!r}")


def _due(rows: Rows) -> dict[str, dict[str, object]]:
    """Return what the chain must say about the shoe in its present state, by kind of entry."""
    shoe, parts = rows.shoe, parts_of(rows)
    due: dict[str, dict[str, object]] = {
        "event_seal": {"seal": shoe.seal, "key": shoe.key, "x_0": shoe.x_0}
    }
    if shoe.lock:
        commits = {str(part.number): part.commit for part in parts}
        due["event_lock"] = {"lock": shoe.lock, "commits": commits}
    if shoe.mix:
        reveals = {str(part.number): part.reveal for part in parts}
        due["event_mix"] = {"mix": shoe.mix, "reveals": reveals}
    if shoe.status == EventShoe.Status.VOID:
        due["event_void"] = {}
    return due


def stage(rows: Rows) -> Findings:
    """The status of the shoe fits what it has."""
    shoe = rows.shoe
    stages = {(False, False): "sealed", (True, False): "locked", (True, True): "open"}
    if shoe.status not in (stages.get((bool(shoe.lock), bool(shoe.mix))), "void"):
        yield Found("shoe_status", f"its shoe is {shoe.status}")


def drawn(rows: Rows) -> Findings:
    """Each draw follows from the shoe, and there is no other."""
    numbers = [draw.number for draw in rows.draws]
    if numbers != list(range(1, rows.event.draws_made + 1)):
        yield Found("draw_number", f"{rows.event.draws_made} draws were made, not {numbers}")
    for draw in rows.draws:
        where = f"draw {draw.number} ({draw.label})"
        link = min(draw.number, ROUNDS_MAX)
        x_m = mixing.x_of(rows.shoe, link)
        if (draw.link, draw.x_m) != (link, x_m.hex()):
            yield Found("draw_link", f"{where} opened another link of the chain")
        if draw.size != len(draw.things):
            yield Found("draw_size", f"{where} was of {draw.size} things, not {len(draw.things)}")
        due = mixing.order_of(rows.shoe, x_m, draw.label, len(draw.things))
        if list(due) != draw.order:
            yield Found("draw_order", f"{where} has another order than the shoe gives")


def there(rows: Rows) -> Findings:
    """Those who were there had a part in the shoe, and are the ones whose seats were drawn."""
    locked, locked_at = [part.number for part in parts_of(rows)], rows.shoe.locked_at
    for number, entry in rows.by_number.items():
        was_there = locked_at is not None and entry.registered_at < locked_at
        if was_there and entry.state != Entry.State.WITHDRAWN and number not in locked:
            yield Found("shoe_part", f"entry {number} had no part in the shoe")
    for draw in rows.draws:
        if draw.label == SEATS and draw.things != locked:
            yield Found("draw_things", f"draw {draw.number} was not of those who mixed the shoe")


def entrants(rows: Rows) -> Findings:
    """Each entrant drew once, and has the number drawn."""
    due: dict[int, int] = {}
    for draw in rows.draws:
        if draw.label != SEATS and not draw.label.startswith(LATE):
            continue
        for number in mixing.drawn(draw):
            if number in due:
                yield Found("draw_things", f"entry {number} drew twice")
            due[number] = len(due) + 1
    for number, entry in rows.by_number.items():
        if entry.drawn != due.get(number):
            yield Found("drawn_number", f"entry {number} drew {due.get(number)}, not {entry.drawn}")
        if entry.drawn is None and entry.state not in UNDRAWN:
            yield Found("drawn_number", f"entry {number} has drawn nothing, and is {entry.state}")


# Entrants who have not drawn: the event never began for them.
UNDRAWN = (
    Entry.State.REGISTERED,
    Entry.State.WAITING,
    Entry.State.WITHDRAWN,
    Entry.State.REFUNDED,
)


def announced(rows: Rows) -> Findings:
    """The event has the structure of its template, whose hash was published with the seal."""
    event, template = rows.event, rows.template
    if event.structure != template.structure:
        yield Found("structure", "its structure is not that of its template")
    due = {
        "name": template.name,
        "currency_id": template.currency_id,
        "kind": rows.structure.kind,
        "game": rows.structure.game,
    }
    for name, value in due.items():
        if getattr(event, name) != value:
            yield Found("structure", f"its {name} is {getattr(event, name)}, not {value}")
    if (event.starts_at is None) != (rows.structure.kind == "sit_and_go"):
        yield Found("structure", f"it starts at {event.starts_at}")
    for entry in rows.chain["event_seal"]:
        published = (entry.body.get("structure"), entry.body.get("starts_at"))
        if published != (structure_digest(event), starts_of(event)):
            yield Found("structure", "the public chain has another structure or start")
        if entry.made_at != event.announced_at:
            yield Found("structure", f"it was announced at {entry.made_at}")


def starts_of(event: Tournament) -> str:
    return event.starts_at.isoformat() if event.starts_at else ""


CHECKS = (announced, sealed, mixed, unlocked, published, stage, drawn, there, entrants)
