"""The rights to see the parts of a player's file, and to write there.

Hands and chat have permissions of their own already; these are the rest. `casino/accounts/staff.py`
gives them to the groups.
"""

from typing import Final

from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE

# The page itself: identity, flags, and limits.
SEE: Final = "player_file.see_file"
# Wallets, the ledger, and what went in and out.
SEE_WALLETS: Final = "player_file.see_wallets"
# Which documents were seen.
SEE_DOCUMENTS: Final = "player_file.see_documents"
# Seats, sign-ins, notes, and who has looked.
SEE_WHOLE: Final = "player_file.see_whole_file"

CHECK: Final = "player_file.check_player"
FLAG: Final = "player_file.flag_player"
NOTE: Final = "player_file.write_note"

SEE_HANDS: Final = "games.view_hand"
SEE_CHAT: Final = "games_chat.view_chatline"
# Staff with one of these open and search finished hands; others see a hand's row.
OPENS_HANDS: Final = (REVERSE, AUDIT)
