"""The ledger: accounts, transactions and entries, and the one function that moves money."""
