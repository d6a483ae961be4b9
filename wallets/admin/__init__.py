"""Money in the back office."""

from wallets.admin import ledger

__all__ = ["ledger"]
