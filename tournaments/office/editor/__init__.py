"""The page on which an event is made: a structure as fields that staff fill in, and its outlook."""
