"""The players' own settings: limits, time away, reality checks, and their own data."""
