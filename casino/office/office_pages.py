"""The pages of the back office that belong to no other app."""

from casino.office import table_pages as pages_of_tables  # noqa: F401
from casino.office.floor import floor_page  # noqa: F401
from casino.office.frame import (  # noqa: F401
    audit_pages,
    hand_pages,
    house_pages,
    journal_page,
    members,
    navigation,
    significant_events,
    tour,
)
from casino.office.house import pages as pages_of_the_house  # noqa: F401
from casino.office.profiles import pages  # noqa: F401
from casino.office.wall import pages as pages_of_the_wall  # noqa: F401
