"""Tournaments for programs, by the services and the views of an event that the pages use."""
