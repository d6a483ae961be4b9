"""Everything that a reader may know of events; pages, strips and the API use only this."""
