"""Amounts are read in thousands at a card table, as everywhere in the room."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
