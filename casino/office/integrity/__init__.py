"""Integrity: traces of where acts come from, and a queue of suspicions that staff decide."""
