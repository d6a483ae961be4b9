"""Alarms: conditions that staff must know of, their recipients, and who has taken them."""
