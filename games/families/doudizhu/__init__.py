"""Dou Dizhu: help with a hand on a page."""
