"""A demonstration that lives: bots play at tables of their own, and an event takes entries."""
