"""Thirteen cards: showdowns on a page."""
