"""The pieces of a table's page: compiled templates, and functions that they call."""
