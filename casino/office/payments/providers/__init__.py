"""The providers that a house may name in `PAYMENTS`."""
