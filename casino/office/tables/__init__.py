"""The pages of a table's rules: setting one up, its versions, and proposing another."""
