"""What the house earned, what it owes, and whether its games pay what they promise."""
