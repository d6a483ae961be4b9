"""Custody of the shoes' secrets and cards, and the public chain."""
