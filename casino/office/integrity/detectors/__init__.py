"""The questions that are asked of finished hands: listed in `suspicions.py`."""
