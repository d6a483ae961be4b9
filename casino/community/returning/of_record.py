"""Declare the columns of leaderboards: derived from finished hands, which their audit counts."""

from casino.community.returning import models
from wallets.of_record.declarations import declare

declare(
    models.CountedHand,
    derived={"boards": "id player_id hand table game day week won points feats"},
)
declare(models.DayPlayed, derived={"boards": "id player_id day hands"})
declare(models.GamePlayed, free={"no reward depends on it": "id player_id game"})
declare(
    models.Achievement,
    record="id player_id name hand day",
    by="house:boards.count player.erase",
)
declare(models.Counting, derived={"boards": "id ended_at hand reversed_until"})
