"""Money in the back office."""

from wallets.admin import jackpots, ledger

__all__ = ["jackpots", "ledger"]
