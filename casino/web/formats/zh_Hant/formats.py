"""Amounts have thousands separators at a card table, as on all pages."""

THOUSAND_SEPARATOR = ","
NUMBER_GROUPING = 3
