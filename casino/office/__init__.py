"""The back office: its frame, and a package for each kind of work."""
