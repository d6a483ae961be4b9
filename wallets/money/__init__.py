"""The ledger, and everything that moves money through it."""
