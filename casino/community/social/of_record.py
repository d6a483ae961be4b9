"""Declare the columns of friends and invitations: free, because they move no money or seat."""

from casino.community.social import models
from wallets.of_record.declarations import declare

_AMONG_PLAYERS = "players' own arrangements, which each of them sees"

declare(models.Friendship, free={_AMONG_PLAYERS: "id sender_id receiver_id made_at accepted_at"})
declare(models.Follow, free={_AMONG_PLAYERS: "id player_id followed_id made_at"})
declare(models.Block, free={_AMONG_PLAYERS: "id player_id blocked_id made_at"})
declare(models.PlayerNote, free={_AMONG_PLAYERS: "id player_id about_id text written_at"})
declare(
    models.TableInvitation,
    free={_AMONG_PLAYERS: "id table_id friend_id invitation_digest made_at"},
)
declare(models.FriendsOnly, free={_AMONG_PLAYERS: "player_id"})
