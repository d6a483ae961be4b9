"""What a next version adds to the database, for a deploy in the middle of hands."""
