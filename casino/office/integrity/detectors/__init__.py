"""The questions that are asked of finished hands: one module each, listed in `registry.py`."""
