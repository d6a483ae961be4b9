"""Where players look for a table: rows, filters, a quick seat, overflow tables."""
