"""Baccarat: its spots, road maps and results on a page."""
