"""The house's earnings and debts, and whether its games pay what they promise."""
