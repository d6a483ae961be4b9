"""The live floor: the tables now, and the actions of staff."""
