"""What pages and programs of the games share: fields, refusals, and stored answers."""
