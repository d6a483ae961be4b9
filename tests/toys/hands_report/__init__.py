"""An app with one report."""
