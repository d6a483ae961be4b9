"""Shared by requests and answers: addresses, errors, limits, the API's frame, and files."""
