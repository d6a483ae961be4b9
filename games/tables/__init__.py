"""Everything that happens under a table's lock, and the services that need it."""
