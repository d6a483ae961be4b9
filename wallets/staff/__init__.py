"""The actions of staff: journal, approvals, verbs, and commands."""
