"""What players arrange for themselves: limits, time away, reality checks, and their own data."""
