"""Tournaments: events of many hands, with a stake, levels, places and prizes."""
