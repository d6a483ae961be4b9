"""The live floor: what happens at the tables now, and what staff do about it."""
