"""Russian poker: five cards against the dealer's, with draws, second combinations and insurance."""
