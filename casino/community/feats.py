"""Feats: results of a hand that one remembers, from the lines of its settlement."""

from collections.abc import Mapping
from typing import Any, Final

from games.rules.house.till import feat_of

# Lines of a settlement that say what a seat has played, or by which it is paid.
_PLAYED: Final = frozenset({"bomb", "rocket"})
_FEATS: Final = {
    **{key: key for key in ("bomb", "rocket", "natural", "home_run", "spring")},
    "anti_spring": "spring",
}


def feats_of(settlement: Mapping[str, Any], seat: int, *, won: bool) -> tuple[str, ...]:
    """Return the feats with which a seat won its hand; empty if it did not win."""
    if not won:
        return ()
    feats = set()
    for line in settlement.get("lines", ()):
        key, values = line["key"], line.get("values", {})
        mine = values.get("seat") if key in _PLAYED else line["target"]
        feat = _FEATS.get(key) or feat_of(key, values)
        if mine == seat and feat:
            feats.add(feat)
    return tuple(sorted(feats))
