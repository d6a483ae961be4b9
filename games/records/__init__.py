"""Finished hands: records, searches, sums, proofs, reversals and the audit."""
