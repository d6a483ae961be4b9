"""Shoes of a made-up history: sealed, locked and mixed by the protocol, kept in memory.

`games.shoes.custody` does the same for a live table, row by row. Here the seats' bytes are the
house's, as for every seat without a browser, and a shoe is opened once for all its hands.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from casino.office.demonstration.seeding.rows import Gathered
from games.models import Seat, Shoe, ShoeSeat, Table
from games.rules.cards import Card
from games.rules.contract import AnyGame
from games.rules.draws import drawn_context
from games.rules.shoe import Draw, ShoeProtocol
from games.shoes import custody
from games.shoes.deals import SECRET

# A shoe is sealed, locked and mixed in the seconds before its first hand.
MOMENT: Final = timedelta(milliseconds=300)


class OpenShoe:
    """A mixed shoe with its secrets, for the hands that are dealt from it."""

    def __init__(
        self, table: Table, game: AnyGame, seats: Sequence[Seat], at: datetime, chances: Random
    ) -> None:
        table.shoes_sealed += 1
        # Whether it has a row, from a time at which it lay on the table.
        self.stored = False
        self.secret = chances.randbytes(32)
        cards = game.composition()
        code = f"T{table.pk}-{table.shoes_sealed}-{chances.randrange(10**6):06}"
        self._protocol = protocol = ShoeProtocol(code)
        self._sealed = sealed = protocol.seal(self.secret, cards)
        self.parts = [self._part(code, seat) for seat in seats]
        commits = {part.number: bytes.fromhex(part.commit) for part in self.parts}
        reveals = {part.number: bytes.fromhex(part.reveal) for part in self.parts}
        lock = protocol.lock(sealed.seal, commits)
        self._mix = protocol.mix(lock, reveals)
        self.cards = sealed.deal(protocol.cut(self._mix, len(cards)))
        self.row = Shoe(
            code=code,
            table=table,
            decks=cards.count(cards[0]),
            jokers=Card.RED_JOKER in cards,
            secret=SECRET.seal(self.secret, protocol.id),
            seal=sealed.seal.hex(),
            key=sealed.key.hex(),
            x_0=sealed.x_0.hex(),
            lock=lock.hex(),
            mix=self._mix.hex(),
            status=Shoe.Status.OPEN,
            sealed_at=at - 3 * MOMENT,
            locked_at=at - 2 * MOMENT,
        )
        # The digest of a hand reads the seats of its shoe, which are not stored yet.
        self.row._prefetched_objects_cache = {"seats": self.parts}  # type: ignore[attr-defined]

    def drawn(self, game: AnyGame) -> tuple[dict[str, Any], tuple[Draw, ...]]:
        """Return the draws of the present round: fields of the context, and the draws."""
        link = self._sealed.hidden.draws[self.row.rounds_played]
        draws: list[Draw] = []

        def draw(label: str, size: int) -> int:
            draws.append(self._protocol.draw(self._mix, link, label, size))
            return draws[-1].value

        return drawn_context(game, draw), tuple(draws)

    def _part(self, code: str, seat: Seat) -> ShoeSeat:
        reveal = self._protocol.house_reveal(self.secret, seat.number)
        return ShoeSeat(
            shoe_id=code,
            number=seat.number,
            player_id=seat.player_id,
            by_house=True,
            commit=self._protocol.commitment(seat.number, reveal).hex(),
            reveal=reveal.hex(),
        )

    def publish(self, gathered: Gathered, at: datetime) -> None:
        """Seal, lock and reveals, in the public chain."""
        row, parts = self.row, self.parts
        name = {"shoe": row.code}
        sealed = {"seal": row.seal, "key": row.key, "x_0": row.x_0, "version": row.version}
        commits = {str(part.number): part.commit for part in parts}
        reveals = {str(part.number): part.reveal for part in parts}
        players = custody.players_leaf(row, self.secret, parts)
        locked = {"lock": row.lock, "commits": commits, "players": players}
        gathered.publish("seal", name | sealed, at - 3 * MOMENT)
        gathered.publish("lock", name | locked, at - 2 * MOMENT)
        gathered.publish("reveal", name | {"mix": row.mix, "reveals": reveals}, at - MOMENT)

    def store(self, gathered: Gathered) -> None:
        """Write the shoe as it is."""
        if self.stored:
            gathered.shoes.append(self.row)
        else:
            gathered.add_row(self.row)
        self.stored = True
