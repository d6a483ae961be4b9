"""Deposits and withdrawals from outside the house: through a provider, or by transfer."""
