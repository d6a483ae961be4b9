"""Toys, each from one folder that nothing else names: a report and a page for staff, and a game.

`tests/test_toys.py` opens a house that has them, and runs the module `uses` there.
"""
