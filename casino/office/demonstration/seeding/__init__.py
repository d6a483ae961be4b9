"""An honest history for an empty house: played by bots through the rules, posted to the ledger."""
