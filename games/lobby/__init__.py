"""Where players look for a table: rows, filters, a quick seat, further tables of the house."""
