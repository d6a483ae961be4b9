"""Tournaments in the back office: templates, schedules, and the control room of one event."""
