"""The cash desk: tills, shifts, receipts, corrections, transfers, and players' withdrawals."""
