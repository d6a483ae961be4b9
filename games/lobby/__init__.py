"""The lobby: rows, filters, a quick seat, overflow tables."""
