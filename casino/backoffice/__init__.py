"""The pages of those who work for the house, over Django's admin."""
