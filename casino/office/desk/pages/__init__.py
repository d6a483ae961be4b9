"""The pages of the cash desk in the back office, and the players' page of withdrawals."""
