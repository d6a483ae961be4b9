"""Alarms: conditions that somebody must know of, whom they reach, and who has taken them."""
