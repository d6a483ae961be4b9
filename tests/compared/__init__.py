"""The drawings that pages are measured by, each beside the page of a house in the same state."""
