"""The documents of the cash desk against the ledger and the journal; `whole` is the door."""
