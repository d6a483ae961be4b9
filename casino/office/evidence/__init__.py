"""Packages of evidence: records, ledger, journal and proofs in one signed file."""
