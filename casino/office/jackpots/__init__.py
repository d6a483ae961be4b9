"""Jackpots in the back office: their list, and one page for each."""
