"""The sentences of settlement lines."""

from typing import Final

SENTENCES: Final = {
    "pot_won": "{target} wins pot {pot_number} with {winner}, into which {source} has paid",
    "pot_taken": "all others have folded: {target} takes what {source} has paid into the pot",
    "pot_rake": "the house takes its share of pot {pot_number}",
}
