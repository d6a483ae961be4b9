"""Russian poker and casino hold'em, outside their rules."""
