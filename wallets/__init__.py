"""Money: accounts, transactions and entries, and the one door through which money moves."""
