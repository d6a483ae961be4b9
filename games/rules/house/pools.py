"""The life of the pools: the trigger of a mystery prize, and what a jackpot shows and starts with.

A **mystery prize** must fall between two amounts. When its pool starts, the house draws the
trigger, the amount at which it falls, and publishes a hash that binds it; every bonus bet then adds
its share. The bet whose share makes the pool reach the trigger wins the trigger's amount, so that
the prize is between the bounds to the minor unit. What the share brought beyond it begins the next
pool, whose trigger is published while the old one is opened: a reader can hash it, and compare.

A **progressive jackpot** is shown without its reserve, which is kept for hits at two tables at
once, and a hit is a share of what is shown. After a hit the house fills it up to its seed again.

Nothing here is random and nothing is kept: the bytes come from the caller, the balances from the
ledger.
"""

import hashlib
import hmac
import re
from typing import Final

from msgspec import Struct

from games.rules.errors import Unreadable
from wallets.values import AMOUNT_MAX, AMOUNT_MIN

SECRET_BYTES: Final = 32
TRIGGER_ID: Final = "[A-Za-z0-9-]{1,100}"
TRIGGER_TEXT: Final = rf"CR1\|mystery\|({TRIGGER_ID})\|([1-9][0-9]{{0,15}})\|([0-9a-f]{{64}})"


class Trigger(Struct, frozen=True):
    """At what amount a mystery prize falls; it must not leave the house before it has."""

    id: str
    amount: int
    salt: str

    @property
    def text(self) -> str:
        """The text that is hashed at the start and published when the prize has fallen."""
        return f"CR1|mystery|{self.id}|{self.amount}|{self.salt}"

    @property
    def published(self) -> str:
        """The hash published at the start; it reveals nothing, as the salt cannot be guessed."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def __repr__(self) -> str:
        return "Trigger(...)"


def draw_trigger(trigger_id: str, lowest: int, highest: int, secret: bytes) -> Trigger:
    """The trigger that 32 secret bytes give, each amount from lowest to highest equally likely.

    The id names the pool and which of its prizes this is; no two triggers may have the same.
    """
    if not re.fullmatch(TRIGGER_ID, trigger_id):
        raise Unreadable("trigger_id", "{id} does not name a prize", id=trigger_id[:80])
    if len(secret) != SECRET_BYTES:
        # The value stays out of the message.
        raise Unreadable("length", "{length} bytes were given instead of 32", length=len(secret))
    if not AMOUNT_MIN <= lowest <= highest <= AMOUNT_MAX:
        raise Unreadable(
            "prize_bounds",
            "A prize cannot lie between {lowest} and {highest}",
            lowest=lowest,
            highest=highest,
        )
    # The remainder of 256 bits favours no amount by more than one in 10**61.
    number = int.from_bytes(hmac.digest(secret, b"amount", "sha256"), "big")
    salt = hmac.digest(secret, b"salt", "sha256").hex()
    return Trigger(trigger_id, lowest + number % (highest - lowest + 1), salt)


def open_trigger(text: str, published: str) -> Trigger:
    """The trigger that was opened, once it is the one whose hash was published."""
    read = re.fullmatch(TRIGGER_TEXT, text)
    if read is None:
        raise Unreadable("trigger", "{text} is not the text of a trigger", text=text[:200])
    trigger = Trigger(read[1], int(read[2]), read[3])
    if trigger.published != published:
        raise Unreadable("trigger_differs", "The opened trigger is not the published one")
    return trigger


def mystery_left(trigger: Trigger, pool: int) -> int:
    """The contribution still missing until the prize falls: at least one unit."""
    return max(trigger.amount - pool, 1)


def mystery_prize(trigger: Trigger, pool: int) -> int:
    """Return the prize that has fallen: the trigger's amount, or all of a pool above it.

    `pool` is what the pool held before the round.
    """
    return max(trigger.amount, pool)


def recorded_mystery_left(left: int, *, fell: bool) -> int:
    """Return the part of `mystery_left` that a published record may contain.

    While the trigger is closed, what is left and the pool would give it away. The round settles the
    same with any amount that its bets do not reach.
    """
    return left if fell else AMOUNT_MAX


def jackpot_shown(balance: int, reserve: int) -> int:
    """The amount of a progressive jackpot that players see, and that the house names at a hit."""
    return max(balance - reserve, 0)
