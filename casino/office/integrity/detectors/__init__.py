"""The questions that are asked of finished hands: listed in `scanning.py`."""
