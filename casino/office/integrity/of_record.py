"""Declare the columns of traces, of the scan's position and of suspicions: all of record."""

from casino.office.integrity import models
from wallets.of_record.declarations import declare

declare(
    models.Trace,
    record="id kind player_id table_id hand_id at",
    digested="line device",
    # A trace may be written with an act in a hand, which does not wait for the record.
    late=True,
    by="house:integrity.delete_old_traces player.erase",
)
declare(
    models.Tally,
    derived={"integrity": "detector game player other count first second third fourth looks place"},
    free={"a number that nothing refers to": "id"},
)
declare(
    models.Scan,
    record="id ended_at hand tallies",
    digested="tally_sum",
    free={"when the scan last ran": "ran_at"},
    by="house:integrity.scan",
)
declare(
    models.Suspicion.players.through,
    record="id suspicion_id player_id",
    by="house:integrity.scan",
)
declare(
    models.Suspicion,
    record="id detector subjects game table_id since until score bound weight evidence opened_at "
    "state decision note decided_by decided_by_name decided_at",
    by="house:integrity.scan suspicion.decide",
)
