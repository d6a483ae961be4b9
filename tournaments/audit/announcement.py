"""Check that an event is what was announced: by its template and the public chain."""

from tournaments.audit.rows import Findings, Found, Rows
from tournaments.event.organiser import structure_digest
from tournaments.models import Tournament


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


CHECKS = (announced,)
