"""The pages for staff, based on Django's admin."""
