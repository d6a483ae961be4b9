"""Taking facts in, paying awards, and proving both."""
