"""An app with one page of the back office."""
