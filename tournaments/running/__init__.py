"""The running of events: announcing, entering, starting, advancing, controlling."""
