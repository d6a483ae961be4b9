"""Whether everything adds up: closings, chains, and reconciliation."""
