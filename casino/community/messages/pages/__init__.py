"""What players see of messages: the inbox, their choices, and the way out of a mail."""
