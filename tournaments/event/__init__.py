"""One event: its row, money, shoe, clock, tables, and who is out."""
