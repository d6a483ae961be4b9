"""Declare the columns of leaderboards: derived from finished hands, which their audit counts."""

from casino.community.returning import models
from wallets.of_record.declarations import declare

_NUMBER = "a number that nothing refers to"

declare(
    models.CountedHand,
    derived={"boards": "player_id hand table game day week won points feats"},
    free={_NUMBER: "id"},
)
declare(models.DayPlayed, derived={"boards": "player_id day hands"}, free={_NUMBER: "id"})
declare(models.GamePlayed, free={"no reward depends on it": "id player_id game"})
declare(
    models.Achievement,
    record="id player_id name hand day",
    by="house:boards.count player.erase",
)
declare(
    models.Counting,
    record="id ended_at hand",
    derived={"boards": "reversed_until"},
    by="house:boards.count",
)
