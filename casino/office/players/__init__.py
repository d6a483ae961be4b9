"""All that the house knows of one player, on one page for staff, and what staff do with it."""
