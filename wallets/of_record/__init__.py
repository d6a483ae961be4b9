"""One record of everything that must not change unseen.

A package declares its columns in a module `of_record` beside its models. The database's triggers
append each change of a column of record to one table, for every writer. The table is a book, which
closings and anchors cover, and the audit compares it with the rows as they are
(`docs/ledger.md`).
"""
