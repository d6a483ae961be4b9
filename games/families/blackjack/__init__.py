"""Blackjack, outside its rules."""
