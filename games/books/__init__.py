"""What has been: days, profit, searches, links, proofs, audits, out of what `play` has written."""
