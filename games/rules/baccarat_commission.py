"""Baccarat with commission.

The play is that of `baccarat`. A bet on banker that wins pays 1:1 with any total, and the house
keeps a commission of 5% of the win: 100 pays 95. What is paid is rounded down.
"""

from typing import ClassVar

from games.rules.baccarat import BaccaratTable


class BaccaratCommission(BaccaratTable, frozen=True, kw_only=True):
    """The options of a table with commission."""

    key: ClassVar[str] = "baccarat_commission"
    name: ClassVar[str] = "Baccarat with commission"

    @property
    def commission_bp(self) -> int:
        return 500
